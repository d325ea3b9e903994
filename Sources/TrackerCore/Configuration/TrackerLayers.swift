/// All layers of all sections of one tracker.
package struct TrackerLayers: Sendable {
    package var network = Layered<NetworkConfiguration>()
    package var tracker = Layered<TrackerConfiguration>()
    package var subject = Layered<SubjectConfiguration>()
    package var session = Layered<SessionConfiguration>()
    package var emitter = Layered<EmitterConfiguration>()

    /// The version of the document that gave the remote layer.
    package private(set) var remoteVersion: Int?

    package init() {}

    /// Replaces the default and the remote layer and leaves the runtime layer alone.
    package mutating func adopt(default defaults: ConfigurationBundle?, remote: ConfigurationBundle?, version: Int?) {
        for section in SectionTable.all { section.adopt(&self, defaults, remote) }
        remoteVersion = remote == nil ? nil : version
    }
}
