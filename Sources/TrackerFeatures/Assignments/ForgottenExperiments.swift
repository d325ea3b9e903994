/// Since when stored assignments count, so that forgetting an experiment needs no look at each unit.
struct ForgottenExperiments: Sendable {
    /// The present; what becomes known is stamped with it.
    private(set) var stamp = 0

    /// Since when assignments of the experiments count that were not forgotten the last time.
    private var since: [ExactText: Int] = [:]
    /// Since when all others count.
    private var othersSince = 0

    /// Forgets what is known of all experiments but some.
    mutating func forget(except experiments: Set<ExactText>) {
        stamp += 1
        var since: [ExactText: Int] = [:]
        for experiment in experiments { since[experiment] = self.since[experiment] ?? othersSince }
        self.since = since
        othersSince = stamp
    }

    /// Notes that a unit was forgotten: what a store said of it before is out of date.
    mutating func forgetUnit() { stamp += 1 }

    /// Whether an assignment of that stamp was not forgotten since.
    func isValid(_ stamp: Int, of experiment: String) -> Bool {
        stamp >= othersSince || stamp >= since[ExactText(experiment)] ?? othersSince
    }
}
