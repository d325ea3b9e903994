extension ConfigurationLifecycle {
    /// The settings of a setup, which never change.
    package struct Settings: Sendable {
        /// The default's version; only documents with a higher version are applied.
        var defaultVersion: Int?
        /// The time after a start or an update in which the end of the process counts against the version.
        var startupWindow = Duration.seconds(30)
        /// The time between two polls; nil for no polling.
        var pollInterval: Duration?
        /// The time when the setup was created, in milliseconds since 1970.
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
