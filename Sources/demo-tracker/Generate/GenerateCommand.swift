import Foundation
import TrackerConfig
import TrackerCore

/// `demo-tracker generate`: Swift accessors of a document's variables.
enum GenerateCommand {
    static let help = """
        demo-tracker generate FILE --output DIR --name NAME [--from FORMAT]: Swift accessors of a document's variables

        Writes DIR/NAME.swift, and only where its content changes: a struct with a property for each variable of FILE,
        which has the value in FILE for a default. The value gives the type: Bool, Int, Double, String, lists of these,
        [JSONValue] for other lists and JSONObject for objects; an encrypted variable is a String?. A feature with an
        enabled in FILE gives a property like isCheckoutEnabled. A FILE of - is standard input.

        A property has the name of its variable in lower camel case (retry-limit is retryLimit), or its generatedName.
        Two with one name, and names that Swift cannot have, are errors: they are told on standard error with their
        places, nothing is written, and it ends with 1. Else it ends with 0.

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
        try check(name)
        let format = try arguments.text("--from").map { (text) throws(UsageError) in try ImportFormat(option: text) }
        let file = try InputFile(arguments.operands[0])
        let isStandardInput = arguments.operands[0] == "-"
        let sourceName = isStandardInput ? "standard input" : URL(fileURLWithPath: file.name).lastPathComponent
        let generation = Generation(file.text, from: AccessorSource(name: sourceName, format: format), name: name)
        let lines =
            generation.errors.map { $0.line(file.name, "error") }
            + generation.warnings.map { $0.line(file.name, "warning") }
        StandardStream.error.write(lines.map { "\($0)\n" }.joined())
        guard let text = generation.text else { return 1 }
        let target = URL(fileURLWithPath: directory, isDirectory: true).appendingPathComponent("\(name).swift")
        do {
            let isWritten = try write(Data(text.utf8), to: target)
            StandardStream.output.write(line: "\(target.path.printable) \(isWritten ? "was written" : "is unchanged")")
            return 0
        } catch {
            let reason = "demo-tracker: \(target.path) cannot be written: \(error.localizedDescription)".printable
            StandardStream.error.write(line: reason)
            return 1
        }
    }

    private static func check(_ name: String) throws(UsageError) {
        let isCapital = name.first.map { $0.uppercased() == String($0) } ?? false
        guard isCapital, name.first != "_", SwiftIdentifier.isIdentifier(name) else {
            throw UsageError("--name takes a type's name, such as Accessors, not '\(name)'")
        }
        guard !AccessorList.usedTypes.contains(name), !SwiftIdentifier.isReservedType(name) else {
            throw UsageError("--name takes a type's name that is free, not '\(name)'")
        }
    }

    /// Writes a file whole or not at all, and only where it has another content, so that nothing is built again.
    private static func write(_ text: Data, to target: URL) throws -> Bool {
        // One that is not there or cannot be read is written; what keeps it from being written is the error.
        if let old = try? Data(contentsOf: target), old == text { return false }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: target, options: .atomic)
        return true
    }
}
