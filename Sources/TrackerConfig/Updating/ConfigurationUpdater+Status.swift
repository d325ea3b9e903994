extension ConfigurationUpdater {
    /// The state at one moment, for readers on other threads.
    package struct Status: Sendable {
        package let scope: UserScope
        package let active: ActiveConfiguration?
        /// The document before the active one, as it was fetched; empty for the default, nil if there was none.
        package let previousText: [UInt8]?
        /// Grows when another configuration is applied.
        package let changes: Int
        package let instanceID: String?
        package var history: FetchHistory
        /// Whether the current user's document is fetched, until the callbacks of its outcome begin.
        package let isFetching: Bool

        init(_ lifecycle: ConfigurationLifecycle, isFetching: Bool, instanceID: String?) {
            (scope, active, previousText) = (lifecycle.scope, lifecycle.active, lifecycle.previousText)
            (changes, history) = (lifecycle.changes, lifecycle.history)
            (self.isFetching, self.instanceID) = (isFetching, instanceID)
        }
    }
}
