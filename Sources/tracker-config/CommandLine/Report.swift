import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// What a command reports of documents: for people, or as JSON objects, one a line.
struct Report {
    static let json = CommandOption.json("print one JSON object instead of text, also for errors")

    let isJSON: Bool
    let style: TextStyle

    /// Reads the options of a command's output.
    init(_ arguments: Arguments) {
        isJSON = arguments.isGiven(Self.json)
        style = TextStyle(arguments)
    }

    /// Writes the result to standard output.
    func show(json: JSONObject, lines: [String]) {
        let output = StandardStream.output
        if isJSON { output.write(json) } else { output.write(line: lines.joined(separator: "\n")) }
    }

    /// The document of a file; if a service could not use it, writes why to standard error and returns nil.
    func document(_ path: String, purpose: Document.Purpose = .remote) throws(CommandFailure) -> Document? {
        let file = try InputFile(path)
        let validation = try Validation.make(file, purpose: purpose)
        if validation.document == nil {
            let error = StandardStream.error
            if isJSON {
                error.write(validation.json)
            } else {
                error.write(line: validation.lines(TextStyle(isColoured: false)).joined(separator: "\n"))
            }
        }
        return validation.document
    }
}

extension Validation {
    /// Validates a file.
    static func make(
        _ file: InputFile, purpose: Document.Purpose = .remote, maxDocumentSize: Int? = nil,
        against expected: ExpectedFeatures? = nil
    ) throws(CommandFailure) -> Validation {
        do {
            return try Validation(
                file.text, named: file.name, purpose: purpose, maxDocumentSize: maxDocumentSize, against: expected)
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }
}
