import DocumentTools
import TrackerConfig

extension WebConsole {
    private static let interval = Duration.milliseconds(500)

    /// What is live, again and again, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    func stream() throws(ConsoleError) -> ConsoleResponse {
        guard let place = streams.take() else { throw ConsoleError(503, "too many pages are open") }
        let cursor = Locked<LiveFeed.Cursor?>(nil)
        // Pulled and not pushed: a slow reader is told what is new when it reads, and nothing piles up for it.
        let events = AsyncStream<[UInt8]> { [self] in
            let seen = cursor.withLock { $0 }
            // The first piece comes at once.
            if seen != nil, await !setup.updater.parts.time.sleepUnlessCancelled(for: Self.interval) { return nil }
            // Lets a server that ends its requests before it ends shut down.
            guard !setup.updater.isStopped else { return nil }
            let live = live(after: seen)
            cursor.withLock { $0 = live.cursor }
            return withExtendedLifetime(place) {
                var writer = ByteWriter(capacity: 4096)
                writer.append("event: live\ndata: ")
                writer.append(json: live.json)
                writer.append("\n\n")
                return Array(writer.bytes)
            }
        }
        let headers = [
            HTTPHeader(name: "Content-Type", value: "text/event-stream"),
            // Of nginx, which would keep the events until there are some KB of them.
            HTTPHeader(name: "X-Accel-Buffering", value: "no"),
        ]
        return ConsoleResponse(200, headers, .stream(events))
    }
}
