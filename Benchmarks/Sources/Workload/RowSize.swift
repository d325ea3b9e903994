import Foundation
import Synchronization
import TrackerCore

/// Keeps the sizes of the bodies it is given and answers 200.
private final class MeasuringTransport: HTTPTransport {
    let sizes = Mutex<[Int]>([])

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        sizes.withLock { $0.append(request.body?.count ?? 0) }
        return HTTPTransportResponse(status: 200)
    }
}

/// The bytes of the measured event, found from outside: by the size of a request with two of them.
package struct RowSize: Sendable {
    /// As it is stored.
    package let stored: Int
    /// As it is sent, with the time of sending, without the envelope.
    package let sent: Int

    // `,"stm":"1700000000000"`.
    private static let sentTime = 22

    /// Sends three events to a transport that only looks at them.
    package init(usesBase64: Bool = true) async throws {
        let transport = MeasuringTransport()
        let rig = try Rig(
            .memory, collector: "http://127.0.0.1:1", isSending: false, usesBase64: usesBase64, transport: transport)
        for count in [1, 2] {
            rig.track(count)
            await rig.tracker.flush()
            rig.tracker.emitter.resume()
            await rig.tracker.flush()
            rig.tracker.emitter.pause()
        }
        let sizes = transport.sizes.withLock { $0 }
        guard sizes.count == 2 else { throw BenchmarkError("expected two requests, found \(sizes)") }
        // A comma is between two.
        sent = sizes[1] - sizes[0] - 1
        stored = sent - Self.sentTime
        await rig.pipeline.shutdown(timeout: .zero)
    }
}
