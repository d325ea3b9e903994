import FoundationEssentials
import Glibc

/// Where a service keeps what must outlive its processes.
///
/// A directory that the service names is its own. Below the standard directory, which the services of a user share, each
/// service has a directory of its own; earlier releases kept everything in the standard directory itself.
struct StateLocation: Sendable {
    let service: String
    /// nil if no directory is known.
    let path: String?
    /// The standard directory, if the service's own is below it.
    let formerPath: String?
    private let eventStore: EventStoreLocation

    /// Finds the directory of a service.
    /// - Throws: If the service's name is empty.
    init(
        _ options: SetupOptions, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) {
        service = options.serviceName ?? ServiceName.executable
        guard !service.isEmpty else {
            throw ConfigurationError(.outOfRange, place: "options.serviceName", reason: "the name is empty")
        }
        eventStore = options.eventStore
        let isStandard = options.stateDirectory == nil && options.usesStandardStateDirectory
        let standard = isStandard ? StandardDirectory.state.path(environment: environment) : nil
        formerPath = standard
        path = options.stateDirectory ?? standard.map { [service] in "\($0)/\(ServiceName.component(service))" }
    }

    /// Where the service keeps its events; nil for memory.
    var events: StateDirectory? {
        guard eventStore == .directory else { return nil }
        return path.map { StateDirectory(path: $0, service: service, formerPath: formerPath) }
    }

    /// Copies what an earlier release kept for all services: the instance's id, the records of versions and sticky
    /// assignments. Events are not copied: each is moved to the one process that has its namespace.
    /// - Returns: What could not be copied.
    func migrate() -> [ConfigurationWarning] {
        guard let path, let formerPath else { return [] }
        // Nothing to read, or nothing that can be read, is what most services find here.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: formerPath)) ?? []
        var warnings: [ConfigurationWarning] = []
        for name in names.sorted() where Self.isShared(name) && access("\(path)/\(name)", F_OK) != 0 {
            do {
                try StandardDirectory.create(path)
                try Self.copy("\(formerPath)/\(name)", to: "\(path)/\(name)")
            } catch {
                let reason = "\(formerPath)/\(name) could not be copied to \(path): \(error)"
                warnings.append(ConfigurationWarning(place: "state", reason: reason))
            }
        }
        return warnings
    }

    private static func isShared(_ name: String) -> Bool {
        name == "instance-id" || name.hasPrefix("configuration-") && name.hasSuffix(".json")
            || name.hasPrefix("assignments-") && name.hasSuffix(".sqlite")
    }

    /// Copies a file unless another process has done so.
    private static func copy(_ source: String, to target: String) throws {
        guard source.hasSuffix(".sqlite") else {
            guard let bytes = try [UInt8](contentsOfFile: source, atMost: largestFile) else { return }
            return try AtomicFile.create(target, with: bytes, under: nil)
        }
        let temporary = AtomicFile.temporaryPath(for: target, under: nil)
        defer { unlink(temporary) }
        // A process of the earlier release may be writing it.
        try SQLiteDatabase(path: source).prepare("VACUUM INTO ?").bind(1, temporary).run()
        chmod(temporary, 0o600)
        if link(temporary, target) != 0 && errno != EEXIST { throw FileError(.rename, path: target) }
        StandardDirectory.sync(StandardDirectory.parent(of: target))
    }

    // As the readers of these files have it.
    private static let largestFile = 1 << 20
}
