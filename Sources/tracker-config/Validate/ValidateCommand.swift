import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config validate`: checks documents as a service does.
enum ValidateCommand {
    private static let isDefault = CommandOption(
        "--default", .flag, help: "the files are default documents of a service: an endpoint may be missing")
    private static let against = CommandOption(
        "--against", .file, "FEATURES",
        help: "the file that the service's accessors are generated from, such as Settings.features.json: values of "
            + "another type are errors, missing features and variables are warnings; so is a version that grows by more "
            + "than 1,000,000, if the file is a document")
    private static let maxBytes = CommandOption(
        "--max-bytes", .integer(1...1 << 30), "N", builtIn: "\(Validation.maxDocumentSize)",
        help: "the size limit of the service in bytes (RemoteConfiguration.maxDocumentSize); without effect with "
            + "--default")
    private static let strict = CommandOption("--strict", .flag, help: "exit with 1 for warnings too")
    private static let format = CommandOption(
        "--format", .word(["text", "github"]), "FORMAT", builtIn: "text",
        help: "github: annotations of a GitHub workflow")
    private static let json = CommandOption.json(
        "print an object for each file on a line of its own, with file, version, errors and warnings")

    static let command = ToolCommand(
        "validate", summary: "check documents; report errors with line and column",
        discussion: """
            Reads each FILE as a service does, but to its end: a service refuses a document at its first error. For a valid
            FILE it prints the version and how many trackers, features and experiments there are. FILE - is standard
            input.

            The exit status is 1 if there are errors, 66 if a FILE cannot be read, and 0 otherwise.
            """,
        operands: [Operand("FILE", .file, isRepeatable: true)],
        options: [strict, format, json, against, isDefault, maxBytes, .color],
        examples: [
            CommandExample("Check a document before it is published", "validate trackers.json"),
            CommandExample(
                "Refuse warnings too, and annotate a pull request", "validate --strict --format github *.json"),
            CommandExample("Check the default that a service ships", "validate --default default.json"),
            CommandExample("Check the published document", "validate - < published.json"),
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let isJSON = arguments.isGiven(json)
        guard !isJSON || arguments.text(format) == nil else { throw .usage("--json and --format exclude each other") }
        let expected = try arguments.text(against).map { (path) throws(CommandFailure) -> ExpectedFeatures in
            let file = try InputFile(path)
            do throws(ConfigurationError) {
                return try ExpectedFeatures(file.text, named: file.name)
            } catch {
                throw .usage("--against: \(file.name): \(error)")
            }
        }
        let output = StandardStream.output
        var validations: [Validation] = []
        var failure: CommandFailure?
        for path in arguments.operands {
            do throws(CommandFailure) {
                let validation = try validate(path, arguments, expected)
                validations.append(validation)
                if isJSON {
                    output.write(validation.json)
                } else if arguments.text(format) == "github" {
                    for annotation in validation.annotations { output.write(line: annotation) }
                } else {
                    let lines = validation.lines(
                        TextStyle(arguments), isStrict: arguments.isGiven(strict), purpose: purpose(arguments))
                    output.write(line: lines.joined(separator: "\n"))
                }
            } catch {
                failure = failure ?? error
                StandardStream.error.write(line: "tracker-config: \(error.reason)".printable)
                guard isJSON else { continue }
                let unread = ConfigurationError(.malformed, place: "", reason: error.reason)
                output.write(["file": .string(path), "version": nil, "errors": [unread.json], "warnings": []])
            }
        }
        if !isJSON, arguments.text(format) == nil, validations.count > 1 {
            output.write(line: Validation.summary(of: validations))
        }
        if let failure { return failure.status }
        let hasFindings = validations.contains {
            !$0.errors.isEmpty || arguments.isGiven(strict) && !$0.warnings.isEmpty
        }
        return hasFindings ? .findings : .success
    }

    private static func validate(
        _ path: String, _ arguments: Arguments, _ expected: ExpectedFeatures?
    ) throws(CommandFailure) -> Validation {
        let limit = arguments.integer(maxBytes) ?? Validation.maxDocumentSize
        // Read a document even if it exceeds the limit, so that its other errors are reported too.
        let file = try InputFile(path, atMost: max(limit, InputFile.maxSize))
        return Validation(
            file.text, named: file.name, purpose: purpose(arguments),
            maxDocumentSize: arguments.isGiven(isDefault) ? nil : limit,
            against: expected)
    }

    private static func purpose(_ arguments: Arguments) -> Document.Purpose {
        arguments.isGiven(isDefault) ? .default : .remote
    }
}
