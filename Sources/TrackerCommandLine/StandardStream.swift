import Foundation
package import TrackerCore

/// Standard output or standard error, which get each text at once and whole.
///
/// Where the reader has gone, or the disk is full, the text is dropped, and the command goes on to its end.
package final class StandardStream: Sendable {
    package static let output = StandardStream(STDOUT_FILENO)
    package static let error = StandardStream(STDERR_FILENO)

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "stream")

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    package func write(line: String) {
        write("\(line)\n")
    }

    /// Writes a JSON object on a line of its own.
    package func write(_ line: JSONObject) {
        write(line: "\(JSONValue.object(line))")
    }

    /// - Returns: Whether all of it was written.
    @discardableResult
    package func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return queue.sync {
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Foundation.write(descriptor, $0.baseAddress! + written, $0.count - written)
                }
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                written += count
            }
            return true
        }
    }
}
