import TestSupport
import TrackerConfig
import TrackerFeatures
import TrackerGrowthBook
import TrackerLoopbackServer
import TrackerTesting

/// A server of a payload and its stream of events, as GrowthBook's proxy.
final class GrowthBookSite: Sendable {
    private struct State: Sendable {
        var payload = "{}"
        var tag = 0
        var reply: ServerReply?
        var offersStreams = false
        var hasStreams = false
        var requests: [ServerRequest] = []
    }

    static let path = "/api/features/sdk-1"

    let time = ManualTime()
    let log = MemoryLog()
    let directory = TemporaryDirectory()
    /// The streams that were opened.
    let streams: AsyncStream<ServedStream>
    private let state = Locked(State())
    private let server: LoopbackServer

    init() throws {
        let (streams, opened) = AsyncStream.makeStream(of: ServedStream.self)
        self.streams = streams
        server = try LoopbackServer { [state] request in
            let (reply, payload, tag, offersStreams, hasStreams) = state.withLock { state in
                state.requests.append(request)
                return (state.reply, state.payload, "\"\(state.tag)\"", state.offersStreams, state.hasStreams)
            }
            if request.path.hasPrefix("/sub/") {
                guard hasStreams else { return .response(status: 404) }
                let stream = ServedStream()
                stream.put(": hello\n\n")
                opened.yield(stream)
                return stream.reply
            }
            if let reply { return reply }
            let headers = [("ETag", tag)] + (offersStreams ? [("X-SSE-Support", "enabled")] : [])
            if request.header("If-None-Match") == tag { return .response(status: 304, headers: headers) }
            return .response(status: 200, headers: headers, body: Array(payload.utf8))
        }
    }

    /// The URL of the payload.
    var source: String { server.url + Self.path }

    /// The URL of the stream as errors show it.
    var stream: String { server.url + "/sub/***" }

    /// All requests so far, but those of streams.
    var requests: [ServerRequest] { state.withLock { $0.requests.filter { !$0.path.hasPrefix("/sub/") } } }

    /// Serves a payload of one feature with this value.
    func serve(_ value: Int) { serve(#"{"features":{"f":{"defaultValue":\#(value)}}}"#) }

    /// Serves a payload.
    func serve(_ payload: String) {
        state.withLock { state in
            (state.payload, state.reply) = (payload, nil)
            state.tag += 1
        }
    }

    /// Answers each request of the payload so.
    func reply(_ reply: ServerReply) { state.withLock { $0.reply = reply } }

    /// Offers a stream of events from now on, which may not be there.
    func offerStreams(hasStreams: Bool = true) {
        state.withLock { ($0.offersStreams, $0.hasStreams) = (true, hasStreams) }
    }

    func stop() { server.stop() }

    /// A provider with the test's clock.
    func provider(_ configure: (inout GrowthBookOptions) -> Void = { _ in }) throws -> GrowthBookProvider {
        var options = GrowthBookOptions()
        // A busy machine must not decide a test.
        options.timeout = .seconds(240)
        configure(&options)
        return try GrowthBookProvider(source: source, options: options, time: time, random: SeededRandom(seed: 1))
    }

    /// Waits until the next request is waited for, and moves the clock there.
    func poll() async {
        await time.waitForSleepers()
        time.advance(by: .seconds(600))
        await time.waitForSleepers()
    }
}

extension GrowthBookProvider {
    /// The value of the feature `f`; nil if there is none.
    var value: Int? { load().value }
}

extension ProvidedFeatures {
    /// The value of the feature `f`; nil if there is none.
    var value: Int? { features.first { $0.name == "f" }?.variables.first { $0.name == "value" }?.value.int }

    /// The sentences of the warnings.
    var notes: [String] { warnings.map(\.description) }
}
