extension ConfigurationUpdater {
    /// The state at one moment, which is read without waiting for the actor: that may be busy with a user's callback.
    package struct Status: Sendable {
        var lifecycle: ConfigurationLifecycle
        /// Whether the current user's document is fetched, until the callbacks of its outcome begin.
        package var isFetching = false
        /// Set at once by a shutdown.
        package var isStopped = false

        package var scope: UserScope { lifecycle.scope }

        package var active: ActiveConfiguration? { lifecycle.active }

        /// The document before the active one, as it was fetched; empty for the default, nil if there was none.
        package var previousText: [UInt8]? { lifecycle.activeState.previousText }

        /// Grows when another configuration is applied.
        package var changes: Int { lifecycle.changes }

        /// Whether a version was reverted on this instance.
        package func isReverted(_ version: Int) -> Bool {
            lifecycle.documents[lifecycle.active].reversion(of: version) != nil
        }

        /// The versions that are held back because of their processes.
        package var heldVersions: [Int] { lifecycle.documents.own.heldVersions }

        var instanceID: String? { lifecycle.documents.own.instanceID }
    }
}
