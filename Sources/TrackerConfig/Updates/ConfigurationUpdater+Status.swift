extension ConfigurationUpdater {
    /// What is read without waiting for the actor, which may be busy with a user's callback.
    struct Standing: Sendable {
        var status: Status
        /// Set at once by a shutdown.
        var isStopped = false
    }

    /// The state at one moment, for readers on other threads.
    package struct Status: Sendable {
        package let scope: UserScope
        package let active: ActiveConfiguration?
        /// When the active configuration was applied by this process, in milliseconds since 1970.
        package let activeSince: Int64
        /// The document before the active one, as it was fetched; empty for the default, nil if there was none.
        package let previousText: [UInt8]?
        /// Grows when another configuration is applied.
        package let changes: Int
        package let instanceID: String?
        package var history: FetchHistory
        /// Whether the current user's document is fetched, until the callbacks of its outcome begin.
        package let isFetching: Bool
        /// The rollout of the active document, or of the one that is held back; nil if neither has one.
        package let rollout: RolloutStatus?
        /// The uptime at which the canary ends; nil if none is observed.
        let canaryEnd: Duration?
        /// The watchdogs of this process.
        let watchdogs: [StartupWatchdog]

        init(_ lifecycle: ConfigurationLifecycle, isFetching: Bool) {
            let state = lifecycle.activeState
            (scope, active, previousText) = (lifecycle.scope, state.configuration, state.previousText)
            (changes, history, activeSince) = (state.changes, lifecycle.history, state.since)
            (self.isFetching, watchdogs) = (isFetching, lifecycle.documents.watchdogs)
            instanceID = lifecycle.documents.own.instanceID
            rollout = RolloutStatus(lifecycle, instanceID: instanceID)
            canaryEnd = lifecycle.canary?.monitor.end
        }
    }
}
