import TestSupport
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer
import TrackerTesting

/// A server of a document and its stream of events.
final class StreamSite: Sendable {
    /// What the server answers at `/events`.
    typealias Handler = @Sendable (ServerRequest) -> ServerReply

    private struct State: Sendable {
        var document = "{}"
        var documentTag = "x"
        var handler: Handler?
        var requests: [ServerRequest] = []
    }

    let time = ManualTime()
    /// The streams that were opened, each of which the test writes.
    let streams: AsyncStream<ServedStream>
    private let state = Locked(State())
    private let server: LoopbackServer

    init() throws {
        let (streams, opened) = AsyncStream.makeStream(of: ServedStream.self)
        self.streams = streams
        server = try LoopbackServer { [state] request in
            let (handler, document, tag) = state.withLock { state in
                state.requests.append(request)
                return (state.handler, state.document, state.documentTag)
            }
            guard request.path.hasPrefix("/events") else {
                let isKnown = request.header("If-None-Match") == tag
                return .response(
                    status: isKnown ? 304 : 200, headers: [("ETag", tag)], body: Array(document.utf8))
            }
            if let handler { return handler(request) }
            let stream = ServedStream()
            opened.yield(stream)
            return stream.reply
        }
    }

    var url: String { server.url }
    var port: UInt16 { server.port }

    /// The requests of streams so far.
    var requests: [ServerRequest] { state.withLock { $0.requests.filter { $0.path.hasPrefix("/events") } } }

    /// Answers each request of a stream so; nil opens one.
    func answer(_ handler: Handler?) { state.withLock { $0.handler = handler } }

    /// Serves a version of the document.
    func serve(_ version: Int) {
        let document = DocumentText.document(version)
        state.withLock { ($0.document, $0.documentTag) = (document, "\"\(version)\"") }
    }

    func stop() { server.stop() }

    /// A source whose stream is at `/events`.
    func source(_ configure: (inout RemoteConfiguration) -> Void = { _ in }) throws -> HTTPSource {
        var remote = RemoteConfiguration(endpoint: "\(server.url)/trackers.json")
        remote.streamEndpoint = "\(server.url)/events"
        // So that a stream that is not opened and one that has gone dead wait equally long.
        remote.timeout = .seconds(240)
        configure(&remote)
        return try HTTPSource(remote, transport: CurlTransport(), time: time)
    }
}

extension ConfigurationSource {
    /// The hints of a connection to its end, and its failure; nil if there is no connection.
    func allHints() async -> (hints: [ChangeHint], failure: FetchError?)? {
        guard let changes = changes() else { return nil }
        var hints: [ChangeHint] = []
        do {
            for try await hint in changes { hints.append(hint) }
            return (hints, nil)
        } catch {
            return (hints, error as? FetchError)
        }
    }
}
