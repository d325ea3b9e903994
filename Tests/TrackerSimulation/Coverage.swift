/// How often a simulation came to what it is to check.
package struct Coverage: Sendable, Equatable {
    /// What is counted.
    package enum Subject: String, Sendable, CaseIterable {
        case tracked, delivered, dropped
        case requests, refusedRequests = "refused requests", lostRequests = "lost requests"
        case lostAnswers = "lost answers", lateArrivals = "late arrivals"
        case duplicates = "duplicates allowed"
        case kills, killsOnTheWay = "kills in the middle of a change of files", powerFailures = "power failures",
            starts, shutdowns
        case tornFiles = "power failures that lost what was not synced"
        case lostByPower = "events lost by power failure, not synced"
        case left = "events that a kill left", lostInMemory = "events in memory only that a kill lost"
        case undoneRemovals = "removals undone"
        case fullDisks = "full disks", failingDisks = "failing disks", memoryFallbacks = "events in memory only"
        case damagedLengths = "damaged lengths", damagedPages = "damaged pages"
        case lostByDamage = "events lost by damage"
        case removedStores = "stores removed while in use", looks = "looks at slots without a process"
        case takeovers, takenOver = "events taken over"
        case documents = "documents published", applied = "documents applied", rejected = "documents rejected"
        case held = "documents held back", stale = "stale documents", failedFetches = "failed fetches"
        case refusedApplications = "failed applications"
        case canaries, passedCanaries = "canaries passed", rollbacks
        case clockJumps = "clock jumps"
        case connections = "connections to the push server", refusedConnections = "refused connections"
        case cuts = "connections that ended", silences = "connections that were silent"
        case deadPushes = "rests without the push server"
        case hints, lostHints = "lost hints", floods = "floods of hints"
        case hintsAfterClose = "hints over closed connections", hintedFetches = "fetches after hints"
        case flushes, pauses, rests = "rests reached"
    }

    private(set) package var counts: [Subject: Int] = [:]

    package init() {}

    package subscript(subject: Subject) -> Int { counts[subject, default: 0] }

    mutating func count(_ subject: Subject, _ count: Int = 1) {
        counts[subject, default: 0] += count
    }

    package static func += (left: inout Coverage, right: Coverage) {
        left.counts.merge(right.counts, uniquingKeysWith: +)
    }
}
