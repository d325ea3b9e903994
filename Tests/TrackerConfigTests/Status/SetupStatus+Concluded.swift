import TrackerConfig

extension SetupStatus {
    /// The status with what follows from its parts.
    var concluded: SetupStatus {
        var status = self
        status.conclude()
        return status
    }
}
