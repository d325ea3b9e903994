/// What is going on in a setup, recorded only while a client watches.
package final class LiveFeed: Sendable {
    /// An event that was tracked.
    package struct Event: Sendable {
        /// Its place among all that were noted; later ones have higher numbers, also those of a later process.
        package let number: Int64
        package let sighting: EventTap.ObservedEvent
    }

    /// How far a client has seen the events.
    package struct Cursor: Sendable, Equatable {
        package var number: Int64
        /// How many there was no room for until then.
        package var missed: Int
        /// How many outcomes were known until then.
        package var settled: Int

        package init(number: Int64, missed: Int, settled: Int) {
            (self.number, self.missed, self.settled) = (number, missed, settled)
        }
    }

    /// What happened since the client last asked.
    package struct Batch: Sendable {
        /// The newest of the events, oldest first.
        package let events: [Event]
        /// How many more there were.
        package let skipped: Int
        /// What became of events of this batch or of earlier ones.
        package let outcomes: [EventTap.Outcome]
        package let cursor: Cursor
    }

    private struct State: Sendable {
        var looked: Duration
        var isFollowed = false
        var events: [Event] = []
        /// The bytes of the events.
        var size = 0
        var outcomes: [EventTap.Outcome] = []
        var last: Cursor
    }

    package static let maxShown = 250
    private static let maxEvents = 500
    private static let maxOutcomes = 4000
    private static let mostBytes = 4 << 20
    private static let interval = Duration.seconds(1)
    /// A client that polls on a slow line still counts as watching.
    private static let patience = Duration.seconds(15)
    private static let room = 512 << 10

    /// The number before the first event, which is later than those of earlier processes.
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

    /// Records that a client watches.
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

    /// What happened since the client last asked.
    /// - Parameter cursor: Up to where it was seen; nil at the first look, which shows what is remembered.
    /// - Returns: The news, with the cursor to ask by the next time.
    package func news(after cursor: Cursor?) -> Batch {
        note()
        return state.withLock { state in
            // A cursor of another process, or one that no process made, is as none: how many there were since is unknown.
            let cursor = cursor.flatMap { start <= $0.number && $0.number <= state.last.number ? $0 : nil }
            let unseen = cursor.map { seen in state.events.filter { $0.number > seen.number } } ?? state.events
            let shown = Array(unseen.suffix(Self.maxShown))
            var skipped = 0
            if let cursor, cursor.missed <= state.last.missed {
                skipped = Int(state.last.number - cursor.number) - shown.count + state.last.missed - cursor.missed
            }
            let unsettled = max(0, state.last.settled - (cursor?.settled ?? 0))
            return Batch(
                events: shown, skipped: skipped, outcomes: Array(state.outcomes.suffix(unsettled)), cursor: state.last)
        }
    }

    /// Takes what the tap has seen.
    private func note() {
        state.withLock { state in
            // Within the lock, so that what is taken first is noted first.
            let (sightings, missed) = tap.take(makingRoom: Self.room)
            state.last.missed += missed
            for sighting in sightings {
                state.last.number += 1
                state.events.append(Event(number: state.last.number, sighting: sighting))
                state.size += sighting.payload.count
            }
            var excess = 0
            while state.events.count - excess > Self.maxEvents || state.size > Self.mostBytes {
                state.size -= state.events[excess].sighting.payload.count
                excess += 1
            }
            state.events.removeFirst(excess)
            // After the events, so that a client never gets the outcome of an event that comes later.
            let outcomes = tap.takeOutcomes()
            guard !outcomes.isEmpty else { return }
            state.last.settled += outcomes.count
            state.outcomes = Array((state.outcomes + outcomes).suffix(Self.maxOutcomes))
        }
    }

    /// Goes on if a client has asked lately; else forgets all that was recorded.
    package func goesOn() -> Bool {
        let now = time.uptime
        let isWatched = state.withLock { state in
            if now - state.looked <= Self.patience { return true }
            (state.isFollowed, state.events, state.size, state.outcomes) = (false, [], 0, [])
            // Within the lock, so that it does not end what a new look has begun.
            tap.close()
            return false
        }
        guard isWatched else { return false }
        note()
        return true
    }
}
