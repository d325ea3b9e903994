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
    /// The ids of the events that a collector has. A request of a killed process may still arrive, and its events again.
    var received: Set<String> = []

    /// The events that a collector has, each counted once.
    var delivered: Int { received.count }

    /// The counts, in the parts between which a line may be broken.
    var summary: [String] {
        [
            "\(published.count) documents: \(applied.subtracting(reverted).count) applied, "
                + "\(rejected.count) rejected, \(reverted.count) reverted",
            "\(kills) SIGKILL",
            "\(tracked) events, \(delivered) delivered, \(dropped) dropped",
        ]
    }

    /// Throws unless each document and each event is accounted for.
    func check() throws(BrokenClaim) {
        var claim = Claim()
        claim.expect("published versions", applied.union(rejected).sorted(), is: published.sorted())
        claim.expect("events that were delivered or dropped", delivered + dropped, is: tracked)
        try claim.check()
    }
}
