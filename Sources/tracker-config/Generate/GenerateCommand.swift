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
        "--output", .directory, "DIR", isRequired: true, help: "the directory to write to; created if it is missing")
    private static let structName = CommandOption(
        "--name", .text, "NAME", isRequired: true, help: "the name of the struct and of the file")
    private static let from = ImportFormat.option(
        isRequired: false,
        help: "the format of FILE if it is another system's, as import reads it; GeneratedPropertyName of justtweak "
            + "names properties")

    static let command = ToolCommand(
        "generate", summary: "write Swift accessors for the variables of a document",
        discussion: """
            Writes DIR/NAME.swift if its content changes: a struct with a property for each feature of FILE, for example
            checkout, which has a property for each variable, for example checkout.retryLimit. The value in FILE is the
            default, and its type is the type of the property: Bool, Int, Double (also for integers beyond 64 bits),
            String, lists of these, [JSONValue] for other lists and JSONObject for objects. An encrypted variable is a
            String?. A feature for which FILE sets enabled also has checkout.isEnabled. FILE - is standard input.

            The name of a property is that of the feature or variable in lower camel case (retryLimit for retry-limit), or
            the generatedName of the variable. Two properties with one name, and names that Swift does not allow, are
            errors: they are on standard error with line and column, nothing is written, and the exit status is 1.
            """,
        operands: [Operand("FILE", .file)], options: [output, structName, from],
        examples: [
            CommandExample(
                "Write Sources/shop/Settings.swift", "generate default.json --output Sources/shop --name Settings"),
            CommandExample(
                "Write accessors for tweaks of another system",
                "generate LocalTweaks.json --from justtweak \\\n    --output Sources/shop --name Tweaks"),
        ], action: run)

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
