import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// The form in which `validate` reports.
enum ValidationFormat: String, CaseIterable {
    case text
    case json
    case github
    case sarif

    /// Writes the findings of one file, unless the form has one text for all files.
    /// - Parameters:
    ///   - validation: The findings.
    ///   - style: The colours.
    ///   - isStrict: Whether warnings count as errors.
    ///   - purpose: What the file was read for.
    func show(_ validation: Validation, _ style: TextStyle, isStrict: Bool, purpose: Document.Purpose) {
        let output = StandardStream.output
        switch self {
        case .text:
            output.write(line: validation.lines(style, isStrict: isStrict, purpose: purpose).joined(separator: "\n"))
        case .json: output.write(validation.json)
        case .github:
            for annotation in validation.annotations { output.write(line: annotation) }
        case .sarif: break
        }
    }

    /// Writes what comes after the last file.
    func showEnd(_ validations: [Validation], _ failures: [CommandFailure]) {
        switch self {
        case .text where validations.count > 1:
            StandardStream.output.write(line: Validation.summary(of: validations))
        case .sarif:
            StandardStream.output.write(SARIFLog(validations, failures: failures.map(\.reason)).json)
        case .text, .json, .github: break
        }
    }
}
