extension ConfigurationUpdater {
    /// The published state, which is read without waiting for the actor, because a user's callback may block it.
    package struct Status: Sendable {
        var lifecycle: ConfigurationLifecycle
        /// Set immediately by a shutdown.
        package var isStopped = false
        /// Whether a fetch is in progress; false when the callbacks of its outcome begin.
        package var isFetching = false

        package var active: ActiveConfiguration? { lifecycle.active }

        /// The bytes of the previous document; empty for the default, nil if there was none.
        package var previousText: [UInt8]? { lifecycle.activeState.previousText }

        /// A number that grows when another configuration is applied.
        package var changes: Int { lifecycle.changes }
    }
}
