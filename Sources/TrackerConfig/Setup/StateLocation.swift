import FoundationEssentials
import TrackerCore

/// The directory of the state that outlives a service's processes.
///
/// A directory that the service names belongs to it alone. The standard directory is shared by all services of a user,
/// so each service has a subdirectory.
struct StateLocation: Sendable {
    let service: String
    /// nil if no directory is known.
    let path: String?

    /// Finds the directory of a service.
    /// - Throws: If the service's name is empty.
    init(
        _ options: SetupOptions, environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) {
        service = options.serviceName ?? ServiceName.executable
        guard !service.isEmpty else {
            throw ConfigurationError(.outOfRange, place: "options.serviceName", reason: "the name is empty")
        }
        let isStandard = options.stateDirectory == nil && options.usesStandardStateDirectory
        let standard = isStandard ? StandardDirectory.state.path(environment: environment()) : nil
        path = options.stateDirectory ?? standard.map { [service] in "\($0)/\(ServiceName.component(service))" }
    }
}
