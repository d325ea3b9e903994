import DocumentTools
import TrackerConfig
import TrackerCore
import TrackerPlatform

extension WebConsole {
    private static let interval = Duration.milliseconds(500)

    /// The number of intervals without an event after which a stream of flags sends a comment: 15 s.
    private static let quietIntervals = 30

    /// The live values at each change, as server-sent events
    /// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    func stream() throws(ConsoleError) -> ConsoleResponse {
        guard let place = streams.take() else { throw ConsoleError(503, "too many pages are open") }
        let cursor = Locked<LiveFeed.Cursor?>(nil)
        return events(place) { [self] in
            let seen = cursor.withLock { $0 }
            // The first piece is sent at once.
            if seen != nil, await !isOpenAfterInterval() { return nil }
            // End the stream, because a server may wait for its requests before it shuts down.
            guard !setup.updater.isStopped else { return nil }
            let live = live(after: seen)
            cursor.withLock { $0 = live.cursor }
            var writer = ByteWriter(capacity: 4096)
            writer.append("event: live\ndata: ")
            writer.append(json: live.json)
            writer.append("\n\n")
            return Array(writer.bytes)
        }
    }

    /// Events for clients to evaluate flags again, as in the stream of OpenFeature's protocol: after each change, and
    /// at once if the client has not received the last one.
    func flagEvents(_ request: ConsoleRequest) throws(ConsoleError) -> ConsoleResponse {
        guard let place = flagStreams.take() else { throw ConsoleError(503, "too many clients follow the flags") }
        let seen = Locked(request.header("last-event-id"))
        return events(place) { [self] in
            for interval in 0... {
                if interval > 0, await !isOpenAfterInterval() { return nil }
                guard !setup.updater.isStopped else { return nil }
                // Include the process, because other processes count from the same numbers.
                let mark = "\(setup.feed.start)-\(getpid())-\(setup.features.store.layers.generation)"
                if seen.exchange(mark) != mark {
                    return Array("id: \(mark)\ndata: {\"type\":\"refetchEvaluation\"}\n\n".utf8)
                }
                // A comment shows client and server that the connection is alive.
                if interval == Self.quietIntervals { return Array(":\n\n".utf8) }
            }
            return nil
        }
    }

    private func isOpenAfterInterval() async -> Bool {
        await setup.updater.parts.time.sleepUnlessCancelled(for: Self.interval)
    }

    private func events(
        _ place: CapacityLimit.Permit, _ next: @escaping @Sendable () async -> [UInt8]?
    ) -> ConsoleResponse {
        // The reader pulls the pieces, so that none accumulate for a slow reader.
        let events = AsyncStream<[UInt8]> {
            let piece = await next()
            return withExtendedLifetime(place) { piece }
        }
        let headers = [
            HTTPHeader(name: "Content-Type", value: "text/event-stream"),
            // Without it, nginx would buffer some KB of events.
            HTTPHeader(name: "X-Accel-Buffering", value: "no"),
        ]
        return ConsoleResponse(200, headers, .stream(events))
    }
}
