import DocumentTools
import TrackerCommandLine
import TrackerConfig

/// `tracker-config validate`: what a service would say of a document.
enum ValidateCommand {
    static let help = """
        tracker-config validate FILE [options]: what is wrong with a document, and where

        Reads FILE as the SDK does and holds it against the JSON Schema of documents. The SDK stops at its first error;
        those that the schema adds are marked [schema]. It warns of names for which generate has no accessors. Ends with
        1 where there are errors, else with 0. A FILE of - is standard input.

          --default        FILE is a default that a service ships: an endpoint may be missing
          --max-bytes N    the largest document that the service fetches (RemoteConfiguration.maximumSize); 1048576 by
                           default. A default has no bound
          --json           one JSON object: file, version, errors, warnings
        """

    /// - Returns: The status to exit with.
    static func run(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: ["--max-bytes"], flags: ["--default", "--json"])
        if arguments.wantsHelp {
            print(help)
            return 0
        }
        guard arguments.operands.count == 1 else { throw UsageError("validate needs one FILE") }
        let file = try InputFile(arguments.operands[0])
        let report = Report(isJSON: arguments.has("--json"))
        let maxDocumentSize = try arguments.integer("--max-bytes", in: 1...1 << 40) ?? Validation.maxDocumentSize
        let isDefault = arguments.has("--default")
        let validation = try report.validate(
            file, purpose: isDefault ? .default : .remote, maxDocumentSize: isDefault ? nil : maxDocumentSize)
        report.show(validation)
        return validation.errors.isEmpty ? 0 : 1
    }
}
