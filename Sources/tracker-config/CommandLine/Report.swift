import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// Standard output of the commands that judge documents: for people, or as JSON objects, one a line.
struct Report {
    let isJSON: Bool
    let style = TextStyle.standardOutput

    func show(json: JSONObject, lines: [String]) {
        let output = StandardStream.output
        if isJSON { output.write(json) } else { output.write(line: lines.joined(separator: "\n")) }
    }

    func show(_ validation: Validation) {
        show(json: validation.json, lines: validation.lines(style))
    }

    /// Validates a file.
    func validate(
        _ file: InputFile, purpose: Document.Purpose = .remote, maxDocumentSize: Int? = nil
    ) throws(UsageError) -> Validation {
        do {
            return try Validation(file.text, named: file.name, purpose: purpose, maxDocumentSize: maxDocumentSize)
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// The document of a file; where a service could not use it, says why and answers nil.
    func document(_ path: String, purpose: Document.Purpose = .remote) throws(UsageError) -> Document? {
        let validation = try validate(InputFile(path), purpose: purpose)
        if validation.document == nil { show(validation) }
        return validation.document
    }
}
