import TrackerFeatures

/// One connection to a server's stream of events.
struct GrowthBookStream {
    /// What comes over the stream.
    private enum Event: Sendable {
        case opened
        /// A whole payload.
        case payload([UInt8])
        /// There is another payload to fetch.
        case changed

        init?(_ arrival: EventStreamRequest.Arrival) {
            switch arrival {
            case .opened: self = .opened
            case .event(let event) where event.name == "features": self = .payload(event.data)
            case .event(let event) where event.name == "features-updated": self = .changed
            case .event: return nil
            }
        }
    }

    // Each may be as large as a payload.
    private static let maxWaiting = 4

    private let request: EventStreamRequest
    private let follower: GrowthBookFollower

    init(url: EndpointURL, follower: GrowthBookFollower) {
        let options = follower.options
        request = EventStreamRequest(
            RedirectedURL(
                url, show: GrowthBookSource.withoutKey(of: url), headers: options.headers,
                for: follower.source.url.origin),
            timeout: options.timeout, longestSilence: options.streamTimeout, maxEventSize: options.maxPayloadSize,
            certificateFile: options.certificateFile)
        self.follower = follower
    }

    /// Follows the stream until it ends, breaks or sends no data for too long, or until the task is cancelled.
    func follow(over transport: any HTTPTransport) async {
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        let ending = await withTaskGroup(of: EventStreamRequest.Ending.self) { group in
            group.addTask {
                await request.follow(over: transport, time: follower.time) { arrival in
                    if let event = Event(arrival) { continuation.yield(event) }
                }
            }
            group.addTask {
                for await event in events { await handle(event) }
                return .expired
            }
            defer { group.cancelAll() }
            return await group.next() ?? .expired
        }
        follower.store.setStreaming(false)
        if case .failed(let failure) = ending { follower.fail(FetchError(.stream, reason: "\(failure)")) }
    }

    private func handle(_ event: Event) async {
        switch event {
        case .opened:
            follower.store.setStreaming(true)
            // What has changed since the last request.
            await follower.fetch()
        case .changed: await follower.fetch()
        case .payload(let bytes):
            do throws(FetchError) {
                let validators = follower.store.validators(of: bytes)
                try await follower.adopt(FetchedDocument(bytes, validators: validators))
            } catch {
                follower.fail(error)
            }
        }
    }
}
