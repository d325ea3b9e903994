import DocumentImport
import DocumentTools
import Foundation
import TrackerAccessors
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// `tracker-config generate`: Swift accessors of a document's variables.
enum GenerateCommand {
    private static let output = CommandOption(
        "--output", .directory, "DIR", isRequired: true, help: "where to write; made if it is missing")
    private static let structName = CommandOption(
        "--name", .text, "NAME", isRequired: true, help: "the struct's and the file's name")
    private static let from = ImportFormat.option(
        isRequired: false,
        help: "FILE is an older system's, as import reads it; of justtweak, GeneratedPropertyName is honoured")

    static let command = ToolCommand(
        "generate", summary: "writes Swift accessors of a document's variables",
        discussion: """
            Writes DIR/NAME.swift, and only if its content changes: a struct with a property for each feature of FILE, such as
            checkout, and in that a property for each variable, such as checkout.retryLimit, which has the value in FILE for a
            default. The value gives the type: Bool, Int, Double (also of integers beyond 64 bits), String, lists of these,
            [JSONValue] for other lists and JSONObject for objects; an encrypted variable is a String?. A feature with an
            enabled in FILE has checkout.isEnabled too. A FILE of - is standard input.

            A property has the name of its feature or variable in lower camel case (retry-limit is retryLimit), or the
            variable's generatedName. Two of a feature with one name, and names that Swift cannot have, are errors: they are
            on standard error with their places, nothing is written, and it ends with 1.
            """,
        operands: [Operand("FILE", .file)], options: [output, structName, from], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let directory = arguments.text(output) ?? ""
        let name = arguments.text(structName) ?? ""
        if let fault = AccessorFile.fault(ofStructName: name) { throw .usage("--name: \(fault)") }
        let format = arguments.text(from).flatMap { ImportFormat(rawValue: $0) }
        let file = try InputFile(arguments.operands[0])
        let isStandardInput = arguments.operands[0] == "-"
        let sourceName = isStandardInput ? "standard input" : URL(fileURLWithPath: file.name).lastPathComponent
        let generation = Generation(file.text, named: sourceName, format: format, name: name)
        let lines =
            generation.errors.map { $0.line(file.name, "error") }
            + generation.warnings.map { $0.line(file.name, "warning") }
        StandardStream.error.write(lines.map { "\($0)\n" }.joined())
        guard let text = generation.text else { return .findings }
        let target = URL(fileURLWithPath: directory, isDirectory: true).appendingPathComponent("\(name).swift")
        do {
            let isWritten = try AccessorFile.write(text, to: target)
            StandardStream.output.write(line: "\(target.path.printable) \(isWritten ? "was written" : "is unchanged")")
            return .success
        } catch {
            throw CommandFailure(.inputOutput, "\(target.path): \(reason(error))")
        }
    }

    /// The system's words for an error of Foundation, whose own say less.
    private static func reason(_ error: any Error) -> String {
        guard let system = (error as? CocoaError)?.underlying as? POSIXError else { return error.localizedDescription }
        return String(cString: strerror(system.code.rawValue))
    }
}
