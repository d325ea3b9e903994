extension ConfigurationUpdater {
    /// The state at one moment, which is read without waiting for the actor: that may be busy with a user's callback.
    package struct Status: Sendable {
        var lifecycle: ConfigurationLifecycle
        /// Set at once by a shutdown.
        package var isStopped = false
        /// Whether the document is fetched, until the callbacks of its outcome begin.
        package var isFetching = false

        package var active: ActiveConfiguration? { lifecycle.active }

        /// The document before the active one, as it was fetched; empty for the default, nil if there was none.
        package var previousText: [UInt8]? { lifecycle.activeState.previousText }

        /// Grows when another configuration is applied.
        package var changes: Int { lifecycle.changes }
    }
}
