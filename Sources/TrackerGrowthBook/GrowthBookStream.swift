import TrackerFeatures

/// One connection to a server's stream of events.
struct GrowthBookStream {
    /// What comes over the stream.
    private enum Event: Sendable {
        /// The first bytes have come.
        case opened
        /// A whole payload.
        case payload([UInt8])
        /// There is another payload to fetch.
        case changed
    }

    /// What the transport's thread knows.
    private struct Progress: Sendable {
        var reader: ServerSentEventReader
        var lastBytes: Duration
        var isOpen = false
        var isTooLarge = false
        var refusal: String?

        /// Notes that the stream is open.
        /// - Returns: Whether it was.
        mutating func exchangeOpen() -> Bool {
            defer { isOpen = true }
            return isOpen
        }
    }

    // libcurl bounds each request.
    private static let longestStream = Duration.seconds(86_400)
    // Each may be as large as a payload.
    private static let maxWaiting = 4

    private let url: EndpointURL
    private let follower: GrowthBookFollower

    init(url: EndpointURL, follower: GrowthBookFollower) {
        (self.url, self.follower) = (url, follower)
    }

    /// Follows the stream until it ends, breaks or sends no data for too long, or until the task is cancelled.
    func follow(over transport: CurlTransport) async {
        let (options, time) = (follower.options, follower.time)
        let progress = Locked(
            Progress(reader: ServerSentEventReader(maxSize: options.maxPayloadSize), lastBytes: time.uptime))
        let (events, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        let failure = await withTaskGroup(of: String?.self) { group in
            group.addTask { await receive(over: transport, progress, continuation) }
            group.addTask { await silence(progress) }
            group.addTask {
                for await event in events { await handle(event) }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        let wasOpen = progress.withLock { $0.isOpen }
        if wasOpen { follower.store.setStreaming(false) }
        if let failure { follower.fail(FetchError(.stream, reason: "the stream of events \(failure)")) }
    }

    /// - Returns: How the stream failed; nil if the server or the time of the request ended it after it was opened.
    private func receive(
        over transport: CurlTransport, _ progress: Locked<Progress>, _ events: AsyncStream<Event>.Continuation
    ) async -> String? {
        let (options, time) = (follower.options, follower.time)
        let headers = [HTTPHeader(name: "Accept", value: "text/event-stream")]
        // What a header authorises is meant for the server of the payload.
        let own = url.origin == follower.source.url.origin ? options.headers : []
        let request = HTTPTransportRequest(
            method: "GET", url: url.text, headers: (headers + own).withUserAgent, timeout: Self.longestStream,
            certificateFile: options.certificateFile)
        do throws(HTTPTransportError) {
            let response = try await transport.stream(request) { head, bytes in
                Self.read(bytes, head, at: time.uptime, progress, events)
            }
            if progress.withLock({ $0.isOpen }) { return nil }
            return "could not be opened: the server answered \(response.status) without events"
        } catch {
            let (refusal, isTooLarge, isOpen) = progress.withLock { ($0.refusal, $0.isTooLarge, $0.isOpen) }
            if isTooLarge { return "has an event larger than \(options.maxPayloadSize) bytes" }
            return refusal ?? Self.failure(of: error, isOpen: isOpen)
        }
    }

    /// How a request failed; nil for the end of the time of a stream that is open, which is not the server's fault.
    static func failure(of error: HTTPTransportError, isOpen: Bool) -> String? {
        isOpen && error.code == .timeout ? nil : "broke: \(error.reason)"
    }

    /// Reads a piece of the stream, on the transport's thread.
    private static func read(
        _ bytes: [UInt8], _ head: HTTPTransportResponse, at uptime: Duration, _ progress: Locked<Progress>,
        _ events: AsyncStream<Event>.Continuation
    ) -> Bool {
        let type = head.header("Content-Type")?.lowercased() ?? ""
        guard head.status == 200, type.hasPrefix("text/event-stream") else {
            let found = head.status == 200 ? type.excerpt : "\(head.status)"
            progress.withLock { $0.refusal = "could not be opened: the server answered \(found)" }
            return false
        }
        let (isFirst, read) = progress.withLock { progress -> (Bool, [ServerSentEventReader.Event]?) in
            progress.lastBytes = uptime
            do throws(ServerSentEventReader.TooLarge) {
                return (!progress.exchangeOpen(), try progress.reader.read(bytes))
            } catch {
                progress.isTooLarge = true
                return (false, nil)
            }
        }
        if isFirst { events.yield(.opened) }
        for event in read ?? [] {
            switch event.name {
            case "features": events.yield(.payload(event.data))
            case "features-updated": events.yield(.changed)
            default: break
            }
        }
        return read != nil
    }

    /// Returns if no bytes have come for too long.
    private func silence(_ progress: Locked<Progress>) async -> String? {
        let (options, time) = (follower.options, follower.time)
        while true {
            let (last, isOpen) = progress.withLock { ($0.lastBytes, $0.isOpen) }
            let limit = isOpen ? options.streamTimeout : min(options.timeout, options.streamTimeout)
            let left = last + limit - time.uptime
            if left <= .zero { return isOpen ? "sent nothing for \(limit)" : "was not opened within \(limit)" }
            guard await time.sleepUnlessCancelled(for: left) else { return nil }
        }
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
                // The validators of the last answer do not belong to it.
                try await follower.adopt(bytes, DocumentValidators())
            } catch {
                follower.fail(error)
            }
        }
    }
}
