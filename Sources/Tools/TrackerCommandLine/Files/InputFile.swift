import TrackerCore
import TrackerPlatform

/// A file named on the command line; `-` is standard input.
package struct InputFile: Sendable {
    /// The default limit of the size of an input, in bytes: 64 MiB. A limit is needed because devices are endless.
    package static let maxSize = 64 << 20

    /// The name in reports.
    package let name: String

    /// The contents.
    package let text: [UInt8]

    /// Reads the whole file.
    /// - Parameters:
    ///   - path: The path; `-` is standard input.
    ///   - limit: The maximum size of the input, in bytes; 64 MiB by default.
    /// - Throws: If it cannot be read or is larger than `limit`.
    package init(_ path: String, atMost limit: Int = Self.maxSize) throws(CommandFailure) {
        let isStandardInput = path == "-"
        let name = isStandardInput ? "<stdin>" : path.isEmpty ? "''" : path
        self.name = name
        // Opening a pipe blocks until it has a writer, which is needed for `<(...)` of a shell.
        let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(.noInput, "\(name): \(String(cString: strerror(errno)))") }
        defer { if !isStandardInput { close(descriptor) } }
        do throws(FileError) {
            text = try [UInt8](contentsOf: descriptor, path: name, size: 0, atMost: limit)
        } catch {
            switch error.errorNumber {
            case EFBIG: throw CommandFailure(.noInput, "\(name): larger than \(limit) bytes")
            case EISDIR: throw CommandFailure(.noInput, "\(name): \(String(cString: strerror(EISDIR)))")
            case let number: throw CommandFailure(.inputOutput, "\(name): \(String(cString: strerror(number)))")
            }
        }
    }
}
