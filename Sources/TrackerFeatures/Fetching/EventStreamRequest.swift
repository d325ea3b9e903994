package import TrackerCore

/// A request for a stream of server-sent events, which can be opened any number of times.
///
/// Redirects follow the rules of ``RedirectedURL``. A connection fails if it receives no byte for too long: comments
/// count, but not data that a proxy buffers. A request over libcurl ends after a day.
package struct EventStreamRequest: Sendable {
    /// A piece of data from a connection.
    package enum Arrival: Sendable {
        /// The response began: the stream is open.
        case opened
        /// An event.
        case event(ServerSentEventReader.Event)
    }

    /// The ending of a connection.
    package enum Ending: Sendable, Hashable {
        /// The server closed a stream that was open.
        case closed
        /// The request reached its time limit, or its task was cancelled.
        case expired
        /// The stream could not be opened, broke, or sent nothing for too long. The error has the pause that the server
        /// requested.
        case failed(FetchError)
    }

    /// The state of a connection, kept on the transport's thread.
    private struct Progress: Sendable {
        var reader: ServerSentEventReader
        var lastBytes: Duration
        var isOpen = false
        var hasBytes = false
        var isTooLarge = false
        /// A response that is not a stream.
        var refused: HTTPTransportResponse?
    }

    private static let longestStream = Duration.seconds(86_400)
    private static let longestID = 1024

    private let start: RedirectedURL
    private let timeout: Duration
    private let longestSilence: Duration
    private let maxEventSize: Int
    private let certificateFile: String?
    /// The state that outlives a connection.
    private let memory = Locked<(lastEventID: String, pause: Duration?)>(("", nil))

    /// Creates a request.
    /// - Parameters:
    ///   - start: The URL, with additional headers.
    ///   - timeout: The longest time until a stream is open, including redirects, if it is less than the longest
    ///     silence.
    ///   - longestSilence: The longest time without a byte.
    ///   - maxEventSize: The maximum size of an event and of a line, in bytes.
    ///   - certificateFile: The path of a file of certificates to trust instead of the system's; nil for the system's.
    package init(
        _ start: RedirectedURL, timeout: Duration, longestSilence: Duration, maxEventSize: Int, certificateFile: String?
    ) {
        self.start = start
        (self.timeout, self.longestSilence) = (min(timeout, longestSilence), longestSilence)
        (self.maxEventSize, self.certificateFile) = (maxEventSize, certificateFile)
    }

    /// The configured URL.
    package var url: EndpointURL { start.url }

    /// The pause between two connections that the server requested (`retry`), up to a day; nil if it requested none.
    package var pause: Duration? { memory.withLock { $0.pause } }

    /// Opens a connection and reads it until it ends. The next connection sends the id of the last event.
    /// - Parameters:
    ///   - transport: The transport.
    ///   - time: The clock of the timeouts.
    ///   - receive: Called with each piece of data on the transport's thread, so it must not block.
    /// - Returns: The ending.
    package func follow(
        over transport: any HTTPTransport, time: any TimeSource, receive: @escaping @Sendable (Arrival) -> Void
    ) async -> Ending {
        let reader = ServerSentEventReader(maxSize: maxEventSize, lastEventID: memory.withLock { $0.lastEventID })
        let progress = Locked(Progress(reader: reader, lastBytes: time.uptime))
        return await withTaskGroup(of: Ending.self) { group in
            group.addTask { await connect(over: transport, time, progress, receive) }
            group.addTask { await silence(time, progress) }
            defer { group.cancelAll() }
            return await group.next() ?? .expired
        }
    }

    private func connect(
        over transport: any HTTPTransport, _ time: any TimeSource, _ progress: Locked<Progress>,
        _ receive: @escaping @Sendable (Arrival) -> Void
    ) async -> Ending {
        var place = start
        while true {
            do throws(HTTPTransportError) {
                _ = try await transport.stream(request(to: place)) { head, bytes in
                    read(bytes, head, at: time.uptime, progress, receive)
                }
                guard progress.withLock({ $0.hasBytes }) else {
                    return failure(.stream, "could not be opened: status 200 without events", status: 200)
                }
                return .closed
            } catch {
                guard let answer = progress.exchange(\.refused, nil) else { return ending(of: error, progress) }
                guard RedirectedURL.isRedirect(answer.status) else {
                    return refusal(answer, from: place, now: time.wallTime)
                }
                do throws(FetchError) {
                    try place.follow(answer)
                } catch {
                    return failure(error.code, "could not be opened: \(error.reason)")
                }
            }
        }
    }

    private func request(to place: RedirectedURL) -> HTTPTransportRequest {
        var own = [HTTPHeader(name: "Accept", value: "text/event-stream")]
        let id = memory.withLock { $0.lastEventID }
        // The id must fit into a header line. Without the id, a server continues with the next event.
        if 1...Self.longestID ~= id.utf8.count, !id.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            own.append(HTTPHeader(name: "Last-Event-ID", value: id))
        }
        return HTTPTransportRequest(
            method: "GET", url: place.url.text, headers: place.headers(with: own), timeout: Self.longestStream,
            certificateFile: certificateFile)
    }

    /// Reads a piece of the stream, on the transport's thread.
    private func read(
        _ bytes: [UInt8], _ head: HTTPTransportResponse, at uptime: Duration, _ progress: Locked<Progress>,
        _ receive: (Arrival) -> Void
    ) -> Bool {
        guard head.status == 200, head.isEventStream else {
            progress.withLock { $0.refused = head }
            return false
        }
        let (wasOpen, reader, events) = progress.withLock { progress in
            defer { progress.isOpen = true }
            progress.lastBytes = uptime
            if !bytes.isEmpty { progress.hasBytes = true }
            // The reader throws only if an event is too large.
            let events = try? progress.reader.read(bytes)
            progress.isTooLarge = events == nil
            return (progress.isOpen, (progress.reader.lastEventID, progress.reader.retry), events)
        }
        memory.withLock { memory in
            memory.lastEventID = reader.0
            if let retry = reader.1 { memory.pause = min(.milliseconds(retry), Self.longestStream) }
        }
        if !wasOpen { receive(.opened) }
        for event in events ?? [] { receive(.event(event)) }
        return events != nil
    }

    /// Returns when no bytes have arrived for too long.
    private func silence(_ time: any TimeSource, _ progress: Locked<Progress>) async -> Ending {
        while true {
            let (last, isOpen) = progress.withLock { ($0.lastBytes, $0.isOpen) }
            let limit = isOpen ? longestSilence : timeout
            let left = last + limit - time.uptime
            if left <= .zero {
                return failure(.timeout, isOpen ? "sent nothing for \(limit)" : "was not opened within \(limit)")
            }
            guard await time.sleepUnlessCancelled(for: left) else { return .expired }
        }
    }

    private func refusal(_ answer: HTTPTransportResponse, from place: RedirectedURL, now: Int64) -> Ending {
        // The id may be the reason for the failure; the next fetch compensates for missed events.
        memory.withLock { $0.lastEventID = "" }
        let type = answer.header("Content-Type")?.lowercased().excerpt ?? "no Content-Type"
        let reason = answer.status == 200 ? "expected text/event-stream, found \(type)" : "status \(answer.status)"
        return failure(
            answer.status == 200 ? .stream : .status, "could not be opened: \(place.answer(reason))",
            retryAfter: Duration(retryAfter: answer.header("Retry-After"), now: now), status: answer.status)
    }

    private func ending(of error: HTTPTransportError, _ progress: Locked<Progress>) -> Ending {
        let (isTooLarge, isOpen) = progress.withLock { ($0.isTooLarge, $0.isOpen) }
        // With the id, the server would send the same event again.
        if isTooLarge { memory.withLock { $0.lastEventID = "" } }
        if isTooLarge { return failure(.tooLarge, "has an event larger than \(maxEventSize) bytes") }
        return ending(of: error, isOpen: isOpen)
    }

    /// The ending of a failed request; reaching the request's time limit is not a failure if the stream was open.
    package func ending(of error: HTTPTransportError, isOpen: Bool) -> Ending {
        if isOpen && error.code == .timeout || error.code == .cancelled { return .expired }
        return failure(.transport, "broke: \(error.reason)", cause: error)
    }

    private func failure(
        _ code: NamedCode<FetchError>, _ reason: String, retryAfter: Duration? = nil, status: Int? = nil,
        cause: (any Error)? = nil
    ) -> Ending {
        let pause = (retryAfter ?? self.pause).map { min($0, Self.longestStream) }
        return .failed(
            FetchError(
                code, reason: "the stream of events \(start.shownStart) \(reason)", retryAfter: pause, status: status,
                cause: cause))
    }
}

extension HTTPTransportResponse {
    fileprivate var isEventStream: Bool {
        let type = header("Content-Type")?.prefix { $0 != ";" } ?? ""
        return String(type).trimmed.lowercased() == "text/event-stream"
    }
}
