import Foundation
import TrackerConfig
package import TrackerCore

/// Standard output or standard error, written without buffering and with each text in one piece.
///
/// If the reader has closed the stream, or the disk is full, the text is dropped and the command continues.
package final class StandardStream: Sendable {
    package static let output = StandardStream(STDOUT_FILENO)
    package static let error = StandardStream(STDERR_FILENO)

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "stream")
    private let firstFailure = Locked<Int32?>(nil)

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The system's error number of the first failed write; nil if there was none, or if the reader has closed the
    /// stream.
    package var failure: Int32? { firstFailure.withLock { $0 } }

    package func write(line: String) {
        write("\(line)\n")
    }

    /// Writes a JSON object on one line.
    package func write(_ line: JSONObject) {
        write(line: "\(JSONValue.object(line))")
    }

    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        queue.sync {
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Foundation.write(descriptor, $0.baseAddress! + written, $0.count - written)
                }
                let number = errno
                if count < 0 && number == EINTR { continue }
                guard count > 0 else {
                    if number != EPIPE { firstFailure.withLock { $0 = $0 ?? number } }
                    return
                }
                written += count
            }
        }
    }
}

/// Writes the SDK's log to standard error, one line for each record.
package struct StandardErrorLog: LogSink {
    package init() {}

    package func log(_ record: LogRecord) {
        StandardStream.error.write(line: "\(record)")
    }
}
