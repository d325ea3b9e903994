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
        "--format", .word(ValidationFormat.allCases.map(\.rawValue)), "FORMAT", builtIn: "text",
        help: "json: an object for each file on a line of its own, with file, version, errors and warnings; github: "
            + "annotations of a GitHub workflow; sarif: one SARIF 2.1.0 log")
    private static let json = CommandOption.json("short for --format json")

    static let command = ToolCommand(
        "validate", summary: "check documents; report errors with line and column",
        discussion: """
            Reads each FILE as a service does and checks it against the JSON Schema. The service stops at the first error;
            errors that only the schema finds are marked [schema]. For a valid FILE it prints the version and how many
            trackers, features and experiments there are. FILE - is standard input.

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
        let name = arguments.text(Self.format)
        guard name == nil || name == "json" || !arguments.isGiven(json) else {
            throw .usage("--json and --format \(name ?? "") exclude each other")
        }
        let named = name.flatMap { ValidationFormat(rawValue: $0) } ?? .text
        let format: ValidationFormat = arguments.isGiven(json) ? .json : named
        let expected = try arguments.text(against).map { (path) throws(CommandFailure) -> ExpectedFeatures in
            let file = try InputFile(path)
            do throws(ConfigurationError) {
                return try ExpectedFeatures(file.text, named: file.name)
            } catch {
                throw .usage("--against: \(file.name): \(error)")
            }
        }
        var validations: [Validation] = []
        var failures: [CommandFailure] = []
        for path in arguments.operands {
            do throws(CommandFailure) {
                let validation = try validate(path, arguments, expected)
                validations.append(validation)
                format.show(
                    validation, TextStyle(arguments), isStrict: arguments.isGiven(strict), purpose: purpose(arguments))
            } catch {
                failures.append(error)
                StandardStream.error.write(line: "tracker-config: \(error.reason)".printable)
            }
        }
        format.showEnd(validations, failures)
        if let failure = failures.first { return failure.status }
        let hasFindings = validations.contains {
            !$0.errors.isEmpty || arguments.isGiven(strict) && !$0.warnings.isEmpty
        }
        return hasFindings ? .findings : .success
    }

    private static func validate(
        _ path: String, _ arguments: Arguments, _ expected: ExpectedFeatures?
    ) throws(CommandFailure) -> Validation {
        let limit = arguments.integer(maxBytes) ?? Validation.maxDocumentSize
        // A document that is somewhat too large is read, so that its other faults show too.
        let file = try InputFile(path, atMost: max(limit, InputFile.maxSize))
        return try Validation.make(
            file, purpose: purpose(arguments), maxDocumentSize: arguments.isGiven(isDefault) ? nil : limit,
            against: expected)
    }

    private static func purpose(_ arguments: Arguments) -> Document.Purpose {
        arguments.isGiven(isDefault) ? .default : .remote
    }
}
