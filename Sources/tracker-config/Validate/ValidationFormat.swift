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
    func show(_ validation: Validation, _ style: TextStyle) {
        let output = StandardStream.output
        switch self {
        case .text: output.write(line: validation.lines(style).joined(separator: "\n"))
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
            let errors = validations.flatMap(\.errors)
            let warnings = validations.flatMap(\.warnings)
            StandardStream.output.write(
                line: "\(validations.count) files: \(Validation.summary(errors: errors, warnings: warnings))")
        case .sarif:
            StandardStream.output.write(SARIFLog(validations, failures: failures.map(\.reason)).json)
        case .text, .json, .github: break
        }
    }
}
