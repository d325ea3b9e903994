import DocumentTools
import Foundation
import TrackerAccessors
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config generate`: Swift accessors of a document's variables.
enum GenerateCommand {
    static let help = """
        tracker-config generate FILE --output DIR --name NAME [--from FORMAT]: Swift accessors of a document's variables

        Writes DIR/NAME.swift, and only where its content changes: a struct with a property for each feature of FILE,
        such as checkout, and in that a property for each variable, such as checkout.retryLimit, which has the value in
        FILE for a default. The value gives the type: Bool, Int, Double (also of integers beyond 64 bits), String, lists
        of these, [JSONValue] for other lists and JSONObject for objects; an encrypted variable is a String?. A feature
        with an enabled in FILE has checkout.isEnabled too. A FILE of - is standard input.

        A property has the name of its feature or variable in lower camel case (retry-limit is retryLimit), or the
        variable's generatedName. Two of a feature with one name, and names that Swift cannot have, are errors: they are
        told on standard error with their places, nothing is written, and it ends with 1. Else it ends with 0.

          --output DIR            where to write; made if it is missing
          --name NAME             the struct's and the file's name
          --from justtweak        FILE is an older system's, as import reads it; GeneratedPropertyName is honoured
          --from msactiveconfig   the same; other formats have no variables
        """

    /// - Returns: The status to exit with.
    static func run(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: ["--output", "--name", "--from"])
        if arguments.wantsHelp {
            print(help)
            return 0
        }
        guard arguments.operands.count == 1 else { throw UsageError("generate needs one FILE") }
        guard let directory = arguments.text("--output") else { throw UsageError("generate needs --output DIR") }
        guard let name = arguments.text("--name") else { throw UsageError("generate needs --name NAME") }
        if let fault = AccessorFile.fault(ofStructName: name) { throw UsageError("--name: \(fault)") }
        let format = try arguments.text("--from").map { (text) throws(UsageError) in try ImportFormat(option: text) }
        let file = try InputFile(arguments.operands[0])
        let isStandardInput = arguments.operands[0] == "-"
        let sourceName = isStandardInput ? "standard input" : URL(fileURLWithPath: file.name).lastPathComponent
        let generation = Generation(file.text, named: sourceName, format: format, name: name)
        let lines =
            generation.errors.map { $0.line(file.name, "error") }
            + generation.warnings.map { $0.line(file.name, "warning") }
        StandardStream.error.write(lines.map { "\($0)\n" }.joined())
        guard let text = generation.text else { return 1 }
        let target = URL(fileURLWithPath: directory, isDirectory: true).appendingPathComponent("\(name).swift")
        do {
            let isWritten = try AccessorFile.write(text, to: target)
            StandardStream.output.write(line: "\(target.path.printable) \(isWritten ? "was written" : "is unchanged")")
            return 0
        } catch {
            let reason = "tracker-config: \(target.path) cannot be written: \(error.localizedDescription)".printable
            StandardStream.error.write(line: reason)
            return 1
        }
    }
}
