package import TrackerCore

/// The current events of a setup, recorded only while a client watches.
package final class LiveFeed: Sendable {
    /// The position of a client in the events.
    package struct Cursor: Sendable, Equatable {
        /// The number of the last event; later events have higher numbers, even in a later process.
        package var number: Int64
        /// The number of events before it that were missed because the tap was full.
        package var missed: Int
        /// The number of outcomes before it.
        package var settled: Int

        package init(number: Int64, missed: Int, settled: Int) {
            (self.number, self.missed, self.settled) = (number, missed, settled)
        }
    }

    /// The events and outcomes since the client's last request.
    package struct Batch: Sendable {
        /// The newest events, the oldest first.
        package let events: [EventTap.ObservedEvent]
        /// The number of events before these that were left out.
        package let skipped: Int
        /// The outcomes of events in this batch or earlier ones.
        package let outcomes: [EventTap.Outcome]
        package let cursor: Cursor
    }

    private struct State: Sendable {
        var looked: Duration
        var isFollowed = false
        var events: [EventTap.ObservedEvent] = []
        var outcomes: [EventTap.Outcome] = []
        var last: Cursor
    }

    package static let maxShown = 250
    private static let maxEvents = 500
    private static let maxOutcomes = 4000
    private static let mostBytes = 4 << 20
    private static let interval = Duration.seconds(1)
    /// A client that polls over a slow connection still counts as watching.
    private static let patience = Duration.seconds(15)
    private static let room = 512 << 10

    /// The number before the first event, which is higher than those of earlier processes.
    package let start: Int64

    private let tap: EventTap
    private let time: any TimeSource
    private let state: Locked<State>

    package init(tap: EventTap, time: any TimeSource) {
        (self.tap, self.time) = (tap, time)
        start = time.wallTime
        state = Locked(State(looked: time.uptime, last: Cursor(number: start, missed: 0, settled: 0)))
    }

    deinit {
        tap.close()
    }

    /// Notes that a client watches.
    package func look() {
        let now = time.uptime
        let isFirst = state.withLock { state in
            state.looked = now
            defer { state.isFollowed = true }
            return !state.isFollowed
        }
        guard isFirst else { return }
        note()
        Task.unbound { [weak self, time] in
            while await time.sleepUnlessCancelled(for: Self.interval), let self, self.goesOn() {}
        }
    }

    /// Returns the events and outcomes since the client's last request.
    /// - Parameter cursor: The position of the client; nil for the first request, which returns all recorded events.
    /// - Returns: The batch, with the cursor of the next request.
    package func batch(after cursor: Cursor?) -> Batch {
        note()
        return state.withLock { state in
            // A cursor of another process or an invalid one is ignored, because the number of events since then is
            // unknown.
            let cursor = cursor.flatMap { start <= $0.number && $0.number <= state.last.number ? $0 : nil }
            let unseen = cursor.map { Int(state.last.number - $0.number) } ?? Self.maxShown
            let shown = Array(state.events.suffix(min(unseen, Self.maxShown)))
            var skipped = 0
            if let cursor, cursor.missed <= state.last.missed {
                skipped = unseen - shown.count + state.last.missed - cursor.missed
            }
            let unsettled = max(0, state.last.settled - (cursor?.settled ?? 0))
            return Batch(
                events: shown, skipped: skipped, outcomes: Array(state.outcomes.suffix(unsettled)), cursor: state.last)
        }
    }

    /// Records the events and outcomes of the tap.
    private func note() {
        state.withLock { state in
            // Inside the lock, so that events are recorded in the order in which they are taken.
            let (events, missed) = tap.take(makingRoom: Self.room)
            state.last.missed += missed
            state.last.number += Int64(events.count)
            state.events = Array((state.events + events).suffix(Self.maxEvents))
            var size = 0
            let fitting = state.events.reversed().prefix { event in
                size += event.payload.count
                return size <= Self.mostBytes
            }
            state.events.removeFirst(state.events.count - fitting.count)
            // After the events, so that a client never receives an outcome before its event.
            let outcomes = tap.takeOutcomes()
            guard !outcomes.isEmpty else { return }
            state.last.settled += outcomes.count
            state.outcomes = Array((state.outcomes + outcomes).suffix(Self.maxOutcomes))
        }
    }

    /// Returns whether a client has polled recently; otherwise discards all records.
    package func goesOn() -> Bool {
        let now = time.uptime
        let isWatched = state.withLock { state in
            if now - state.looked <= Self.patience { return true }
            (state.isFollowed, state.events, state.outcomes) = (false, [], [])
            // Inside the lock, so that it does not close the tap for a new client.
            tap.close()
            return false
        }
        guard isWatched else { return false }
        note()
        return true
    }
}
