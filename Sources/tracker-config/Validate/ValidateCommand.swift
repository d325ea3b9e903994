import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config validate`: what a service would say of documents.
enum ValidateCommand {
    private static let isDefault = CommandOption(
        "--default", .flag, help: "the files are defaults that a service ships: an endpoint may be missing")
    private static let against = CommandOption(
        "--against", .file, "FEATURES",
        help: "the file that the service's accessors are generated from, such as Settings.features.json: values that "
            + "they cannot read are errors, features and variables that are missing are warnings")
    private static let maxBytes = CommandOption(
        "--max-bytes", .integer(1...1 << 30), "N", builtIn: "\(Validation.maxDocumentSize)",
        help: "the largest document that the service fetches, in bytes (RemoteConfiguration.maxDocumentSize); without "
            + "effect on a default")
    private static let strict = CommandOption("--strict", .flag, help: "end with 1 for warnings too")
    private static let format = CommandOption(
        "--format", .word(ValidationFormat.allCases.map(\.rawValue)), "FORMAT", builtIn: "text",
        help: "json has an object for each file, on a line: file, version, errors, warnings; github has annotations of "
            + "a workflow; sarif has one SARIF 2.1.0 log")
    private static let json = CommandOption.json("short for --format json")

    static let command = ToolCommand(
        "validate", summary: "what is wrong with documents, and where",
        discussion: """
            Reads each FILE as the SDK does and checks it against the JSON Schema of documents. The SDK stops at its first
            error; those that the schema adds are marked [schema]. It warns of names for which generate has no accessors. A
            FILE of - is standard input.

            Ends with 1 if there are errors, with 66 if a FILE cannot be read, else with 0.
            """,
        operands: [Operand("FILE", .file, isRepeatable: true)],
        options: [strict, format, json, against, isDefault, maxBytes, .color], action: run)

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
                format.show(validation, TextStyle(arguments))
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
        let isDefault = arguments.isGiven(Self.isDefault)
        // A document that is somewhat too large is read, so that its other faults show too.
        let file = try InputFile(path, atMost: max(limit, InputFile.maxSize))
        return try Validation.make(
            file, purpose: isDefault ? .default : .remote, maxDocumentSize: isDefault ? nil : limit, against: expected)
    }
}
