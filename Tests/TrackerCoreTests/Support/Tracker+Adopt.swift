import TrackerCore

extension Tracker {
    /// Replaces the layers below the runtime's in one go, as a setup does for each tracker of a document.
    func adopt(default defaults: ConfigurationBundle?, remote: ConfigurationBundle?, version: Int?) throws {
        let origin = LayerOrigin(version: version)
        try commit(try prepare(default: defaults, remote: remote, origin: origin))
    }
}
