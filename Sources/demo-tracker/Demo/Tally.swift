/// What happened in the demonstration, counted for its last lines.
struct Tally: Sendable {
    /// The versions of the documents that were published.
    var published: Set<Int> = []
    /// The versions that were applied, those that were reverted later included.
    var applied: Set<Int> = []
    /// The versions that were rejected.
    var rejected: Set<Int> = []
    /// The versions that were reverted.
    var reverted: Set<Int> = []
    /// The processes that SIGKILL ended.
    var kills = 0
    /// The events that were given to trackers.
    var tracked = 0
    /// The events that trackers gave up.
    var dropped = 0
    /// How often each event came to a collector, by its id.
    private(set) var arrivals: [String: Int] = [:]

    /// The events that a collector has, each counted once.
    var delivered: Int { arrivals.count }

    /// Notes that a collector has received an event.
    mutating func receive(_ id: String) {
        arrivals[id, default: 0] += 1
    }

    /// The counts, in the parts between which a line may be broken.
    var summary: [String] {
        [
            "\(published.count) documents: \(applied.subtracting(reverted).count) applied, "
                + "\(rejected.count) rejected, \(reverted.count) reverted",
            "\(kills) SIGKILL",
            "\(tracked) events, \(delivered) delivered, \(dropped) dropped",
        ]
    }

    /// Throws unless each document and each event is accounted for, and none came twice.
    func check() throws(BrokenClaim) {
        var claim = Claim()
        claim.expect("published versions", applied.union(rejected).sorted(), is: published.sorted())
        claim.expect("events that were delivered or dropped", delivered + dropped, is: tracked)
        claim.expect("events that were delivered twice", arrivals.values.count { $0 > 1 }, is: 0)
        try claim.check()
    }
}
