import Foundation
import TrackerCommandLine

/// A file that the command line names; `-` is standard input.
struct InputFile {
    /// The name, as reports show it.
    let name: String

    let text: [UInt8]

    /// Reads the file whole.
    /// - Throws: Where it cannot be read.
    init(_ path: String) throws(UsageError) {
        let isStandardInput = path == "-"
        name = isStandardInput ? "<stdin>" : path
        do {
            let handle =
                isStandardInput
                ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            text = Array(try handle.readToEnd() ?? Data())
        } catch {
            throw UsageError("\(name) cannot be read")
        }
    }
}
