import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// The output of a command about documents: as text for people, or as JSON objects, one per line.
struct Report {
    static let json = CommandOption.json("print one JSON object instead of text, also for errors")

    let isJSON: Bool
    let style: TextStyle

    /// Reads the output options of a command.
    init(_ arguments: Arguments) {
        isJSON = arguments.isGiven(Self.json)
        style = TextStyle(arguments)
    }

    /// Writes the result to standard output.
    func show(json: JSONObject, lines: [String]) {
        let output = StandardStream.output
        if isJSON { output.write(json) } else { output.write(line: lines.joined(separator: "\n")) }
    }

    /// Validates a file; if a service could not use it, prints the reason to standard error.
    func validated(_ path: String, purpose: Document.Purpose = .remote) throws(CommandFailure) -> Validation {
        let file = try InputFile(path)
        let validation = Validation(file.text, named: file.name, purpose: purpose)
        if validation.document == nil {
            let error = StandardStream.error
            if isJSON {
                error.write(validation.json)
            } else {
                error.write(line: validation.lines(TextStyle(isColoured: false)).joined(separator: "\n"))
            }
        }
        return validation
    }
}

/// The default document of `--default` and `--default-version`.
struct DefaultDocument {
    static let options = [ServiceArguments.defaultFile, ServiceArguments.defaultVersion]

    let configuration: DefaultConfiguration
    let version: Int?
    let warnings: [ConfigurationError]

    /// Reads the default document; if it cannot be used, prints why and returns nil.
    init?(_ arguments: Arguments, _ report: Report) throws(CommandFailure) {
        version = arguments.integer(ServiceArguments.defaultVersion)
        guard let path = arguments.text(ServiceArguments.defaultFile) else {
            configuration = DefaultConfiguration(bundles: [])
            warnings = []
            return
        }
        guard let document = try report.validated(path, purpose: .default).document else { return nil }
        configuration = DefaultConfiguration(document)
        warnings = document.warnings
    }
}
