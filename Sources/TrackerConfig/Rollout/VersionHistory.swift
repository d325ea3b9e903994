/// The history of a URL's documents on this machine: decides which newer versions this process refuses, and stores the
/// reasons.
///
/// Belongs to one thread at a time: the one that makes the setup, then its updater's.
package final class VersionHistory: Sendable {
    /// What a setup says of its instance.
    package struct Identity: Sendable {
        /// When a version is taken for one that kills its processes; nil never.
        let crashGuard: CrashGuard?
        /// The id by which rollouts select the instance; nil for one that is kept in the state directory.
        let instanceID: String?
        let random: any RandomSource

        package init(crashGuard: CrashGuard?, instanceID: String?, random: any RandomSource) {
            (self.crashGuard, self.instanceID, self.random) = (crashGuard, instanceID, random)
        }
    }

    /// What the names of its files begin with, before the hash of the URL.
    static let filePrefix = "configuration-"

    /// The source's URL.
    let url: String

    /// The id by which rollouts select the instance; with nil, none selects it.
    let instanceID: String?

    /// nil if no state directory can be used, or none is wanted.
    let watch: StartupWatchdog?

    /// The marks of the user's files, held for as long as this is.
    private let marks: [FileLock]
    private let crashGuard: CrashGuard
    private let isGuarding: Bool
    private let file: VersionRecordFile?

    private struct State: Sendable {
        var record: VersionRecord
        /// What was odd since it was last asked for.
        var warnings: [ConfigurationError] = []
    }

    private let state: Locked<State>

    private var record: VersionRecord { state.withLock { $0.record } }

    /// Opens what earlier processes left.
    /// - Parameters:
    ///   - directory: The state directory; nil forgets everything with the process.
    ///   - url: The source's.
    ///   - identity: The instance, and when a version is taken for one that kills its processes.
    ///   - watches: Whether this process is to be watched; without it the history is only read.
    ///   - marks: The marks of the user's files.
    init(
        directory: String?, url: String, identity: Identity, watches: Bool = true, marks: [FileLock] = []
    ) {
        (self.url, self.marks) = (url, marks)
        crashGuard = (identity.crashGuard ?? CrashGuard()).clamped
        isGuarding = identity.crashGuard != nil
        var hash = StableHash()
        hash.combine(url.utf8)
        let prefix = directory.map { "\($0)/\(Self.filePrefix)\(hash.hex)" }
        file = prefix.map { VersionRecordFile(path: "\($0).json") }
        // What an environment variable gives that is not set.
        var instanceID = identity.instanceID.flatMap { $0.isEmpty ? nil : $0 }
        var watch: StartupWatchdog?
        var endings: [StartupWatchdog.Ending] = []
        var warnings: [ConfigurationError] = []
        func warn(_ reason: String) { warnings.append(ConfigurationError(.warning, place: "state", reason: reason)) }
        if let directory, let prefix {
            var cause: FileError?
            do throws(FileError) {
                try StandardDirectory.create(directory)
                if let warning = StandardDirectory.warning(about: directory) { warn(warning) }
                if instanceID == nil { instanceID = try InstanceID.kept(in: directory, identity.random) }
            } catch {
                // What follows would fail for the same reason.
                cause = error
                var lacks: [String] = []
                if instanceID == nil {
                    lacks.append("no instance id: this instance takes part in no canary; set instanceID")
                }
                if watches, identity.crashGuard != nil { lacks.append("the crash guard is off") }
                if !lacks.isEmpty { warn("\(lacks.joined(separator: "; ")): \(error)") }
            }
            do throws(FileError) {
                if cause == nil, watches, identity.crashGuard != nil {
                    watch = try StartupWatchdog(prefix: "\(prefix).watch-", endings: &endings)
                }
            } catch {
                warn("the crash guard is off: \(error)")
            }
        }
        self.instanceID = instanceID
        self.watch = watch
        let (record, warning) = file?.read() ?? (VersionRecord(), nil)
        if let warning { warn(warning) }
        state = Locked(State(record: record, warnings: warnings))
        count(endings)
    }

    /// How soon after applying a version the end of a process counts.
    var window: Duration { crashGuard.window }

    /// Looks at what other processes have left since.
    package func refresh() {
        guard let file else { return }
        let (record, warning) = file.read()
        state.withLock { $0.record = record }
        note(warning)
        do throws(FileError) {
            count(try watch?.takeEndings() ?? [])
        } catch {
            note("the crash guard counts no crash of other processes: \(error)")
        }
    }

    /// Why a document is not used by this process.
    /// - Parameters:
    ///   - document: The document.
    ///   - hasOther: Whether there is another configuration to use in its place. If there is none, a version is not
    ///     held against nothing because its processes vanish: a service without trackers loses all its events.
    /// - Returns: The reason, nil if there is none.
    package func objection(to document: Document, hasOther: Bool) -> HoldReason? {
        if hasOther, isGuarding, let crashes = record.crashes(of: document.version) {
            let window = JSONValue(shortest: crashGuard.window / .seconds(1))
            let reason = "\(crashes.count) processes in a row vanished within \(window) s of applying it"
            return HoldReason(.crashes, reason)
        }
        if let reversion = record.reversion(of: document.version) {
            return HoldReason(.reverted, "it was reverted: \(reversion.reason)")
        }
        guard let rollout = document.rollout, !rollout.includes(instanceID) else { return nil }
        let percent = JSONValue(shortest: rollout.percent)
        return HoldReason(
            .notSelected, "it is rolled out to \(percent) % of the instances, and this one is not among them")
    }

    /// Notes that a version is about to be applied, which may be the end of the process.
    func willApply(_ version: Int) {
        watch?.begin(version)
    }

    /// Notes that this process lives on with a version.
    func survived(_ version: Int) {
        if record.crashes.contains(where: { $0.version == version }) { update { $0.survived(version) } }
        watch?.acknowledge()
    }

    /// Marks a version as bad.
    package func reverted(_ version: Int, reason: String) {
        update { $0.reverted(VersionRecord.Reversion(version: version, reason: reason)) }
    }

    /// Why a version was marked as bad, by this process or another of the instance; nil if it was not.
    package func reversion(of version: Int) -> String? { record.reversion(of: version)?.reason }

    /// Hands over what was odd.
    package func takeWarnings() -> [ConfigurationError] {
        state.withLock { state in
            defer { state.warnings = [] }
            return state.warnings
        }
    }

    private func count(_ endings: [StartupWatchdog.Ending]) {
        guard !endings.isEmpty else { return }
        let endings = Set(endings)
        let limit = crashGuard.processes
        // The order of those that are found together is unknown; those that lived come first.
        update { record in
            for ending in endings where ending.hasSurvived { record.survived(ending.version) }
            for ending in endings where !ending.hasSurvived { record.vanished(ending.version, limit: limit) }
        }
    }

    private func update(_ change: (inout VersionRecord) -> Void) {
        do throws(FileError) {
            guard let file else { return state.withLock { change(&$0.record) } }
            let (record, warning) = try file.update(change)
            state.withLock { $0.record = record }
            note(warning)
        } catch {
            // For this process it counts all the same.
            state.withLock { change(&$0.record) }
            note("the record of versions cannot be kept: \(error)")
        }
    }

    private func note(_ reason: String?) {
        guard let reason else { return }
        // A canary is looked at every few seconds, and what fails then fails each time.
        let warning = ConfigurationError(.warning, place: "state", reason: reason)
        state.withLock { state in
            if !state.warnings.contains(warning) { state.warnings.append(warning) }
        }
    }
}

extension Document {
    /// Whether it is no longer a canary in any process of an instance: another one may have begun to observe it later.
    /// - Parameters:
    ///   - start: When it was fetched, in milliseconds since 1970.
    ///   - time: The time, in milliseconds since 1970.
    /// - Returns: Whether it is proven.
    func isProven(since start: Int64, at time: Int64) -> Bool {
        rollout.map { Duration.milliseconds(time - start) >= $0.bakeTime * 2 } ?? true
    }
}

extension CrashGuard {
    fileprivate var clamped: CrashGuard {
        var clamped = self
        clamped.processes = min(max(processes, 1), 1000)
        clamped.window = min(max(window, .milliseconds(100)), .seconds(86_400))
        return clamped
    }
}

extension Rollout {
    /// Whether an instance is among those that the document is for.
    /// - Parameter instanceID: The instance's; nil is in no canary, and in a rollout to all instances.
    /// - Returns: Whether it is.
    func includes(_ instanceID: String?) -> Bool {
        percent >= 100 || instanceID.map { position(of: $0) < percent } ?? false
    }

    /// The position of an instance in the fleet.
    /// - Returns: 0 ..< 100; the document is for the instance if ``percent`` is higher.
    func position(of instanceID: String) -> Double {
        Bucketing.fraction(of: instanceID, seed: seed ?? "", version: .v2) * 100
    }
}
