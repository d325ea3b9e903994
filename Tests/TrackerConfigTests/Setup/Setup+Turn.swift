import TrackerConfig
import TrackerFeatures

extension Setup {
    /// Returns as soon as the setup has done what was asked of it before, and as often what that asked for in its turn.
    func turn(_ times: Int = 1) async {
        for _ in 0..<times { await updater.turn() }
    }
}

extension ConfigurationUpdater {
    /// The actor's thread takes its jobs in their order.
    fileprivate func turn() {}
}
