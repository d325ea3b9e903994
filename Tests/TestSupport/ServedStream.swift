import Dispatch
import TrackerCore
package import TrackerLoopbackServer

/// A stream of events of a test's server, which the test writes.
package final class ServedStream: Sendable {
    private let pieces = Locked<[[UInt8]?]>([])
    private let isThere = DispatchSemaphore(value: 0)

    /// Creates a stream without events.
    package init() {}

    /// Sends an event.
    package func send(_ name: String, _ data: String) { put("event: \(name)\ndata: \(data)\n\n") }

    /// Sends a text as it is.
    package func put(_ text: String) { put(Array(text.utf8)) }

    /// Sends bytes as they are.
    package func put(_ bytes: [UInt8]) {
        pieces.withLock { $0.append(bytes) }
        isThere.signal()
    }

    /// Ends the stream.
    package func end() {
        pieces.withLock { $0.append(nil) }
        isThere.signal()
    }

    /// The answer that is the stream.
    package var reply: ServerReply {
        .stream(status: 200, headers: [("Content-Type", "text/event-stream; charset=utf-8")]) { writer in
            while true {
                self.isThere.wait()
                guard let piece = self.pieces.withLock({ $0.removeFirst() }), writer.write(piece) else { return }
            }
        }
    }
}
