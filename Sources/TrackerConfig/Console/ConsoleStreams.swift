import Synchronization

/// Counts the streams that are open, so that forgotten pages cannot use up a service.
final class ConsoleStreams: Sendable {
    private static let most = 32

    /// One of them, until it is let go of.
    final class Place: Sendable {
        private let streams: ConsoleStreams

        fileprivate init(_ streams: ConsoleStreams) {
            self.streams = streams
        }

        deinit {
            streams.count.subtract(1, ordering: .relaxed)
        }
    }

    private let count = Atomic<Int>(0)

    /// A place for one more; nil where there are too many.
    func take() -> Place? {
        guard count.add(1, ordering: .relaxed).newValue <= Self.most else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(self)
    }
}

extension Console {
    private static let interval = Duration.milliseconds(500)

    /// What is live, again and again, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    func stream() throws(ConsoleError) -> ConsoleResponse {
        guard let place = streams.take() else { throw ConsoleError(503, "too many pages are open") }
        let cursor = Locked<LiveFeed.Cursor?>(nil)
        let isFirst = Locked(true)
        // Pulled and not pushed: a slow reader is told what is new when it reads, and nothing piles up for it.
        let events = AsyncStream<[UInt8]> { [self] in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return !isFirst
            }
            if waits, await !setup.cycle.parts.time.sleepsToTheEnd(of: Self.interval) { return nil }
            // Lets a server that ends its requests before it ends shut down.
            guard !setup.cycle.isStopped else { return nil }
            let live = await live(after: cursor.withLock { $0 })
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
            HTTPHeader("Content-Type", "text/event-stream"),
            // Of nginx, which would keep the events until there are some KB of them.
            HTTPHeader("X-Accel-Buffering", "no"),
        ]
        return ConsoleResponse(200, headers, .stream(events))
    }
}
