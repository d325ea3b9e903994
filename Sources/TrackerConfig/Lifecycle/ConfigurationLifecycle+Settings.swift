extension ConfigurationLifecycle {
    /// What stays the same for the life of a setup.
    package struct Settings: Sendable {
        /// The default's version; documents that are not higher are not applied.
        var defaultVersion: Int?
        /// How soon after a start or an update the end of the process counts against the version.
        var startupWindow = Duration.seconds(30)
        /// The time between two polls; nil does not poll.
        var pollInterval: Duration?
        /// When the setup was made, in milliseconds since 1970.
        var startTime: Int64 = 0

        package init(
            defaultVersion: Int? = nil, startupWindow: Duration = .seconds(30),
            pollInterval: Duration? = nil, startTime: Int64 = 0
        ) {
            (self.defaultVersion, self.startupWindow, self.pollInterval) = (defaultVersion, startupWindow, pollInterval)
            self.startTime = startTime
        }
    }
}
