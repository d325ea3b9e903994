/// The history of a URL's documents on this machine: decides which newer versions this process refuses, and stores the
/// reasons.
///
/// Belongs to one thread at a time: the one that makes the setup, then its updater's.
package final class VersionHistory: Sendable {
    /// What a setup says of its instance.
    package struct Identity: Sendable {
        /// When a version is held back because processes end soon after they applied it; nil never.
        let crashGuard: CrashGuard?
        /// The id by which rollouts select the instance; nil for one that is kept in the state directory.
        let instanceID: String?
        let random: any RandomSource
        let time: any TimeSource

        package init(crashGuard: CrashGuard?, instanceID: String?, random: any RandomSource, time: any TimeSource) {
            (self.crashGuard, self.instanceID, self.random, self.time) = (crashGuard, instanceID, random, time)
        }
    }

    private struct State: Sendable {
        var record = VersionRecord()
        /// What was odd since it was last asked for.
        var warnings: [ConfigurationError] = []

        mutating func warn(_ reason: String?) {
            guard let reason else { return }
            // A canary is looked at every few seconds, and what fails then fails each time.
            let warning = ConfigurationError(.warning, place: "state", reason: reason)
            if !warnings.contains(warning) { warnings.append(warning) }
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
    private let crashGuard: CrashGuard?
    private let time: any TimeSource
    private let file: VersionRecordFile?
    private let state: Locked<State>

    private var record: VersionRecord { state.withLock { $0.record } }

    /// Opens what earlier processes left.
    /// - Parameters:
    ///   - directory: The state directory; nil forgets everything with the process.
    ///   - url: The source's.
    ///   - identity: The instance, and when a version is held back because of its processes.
    ///   - marks: The marks of the user's files.
    package init(directory: String?, url: String, identity: Identity, marks: [FileLock] = []) {
        (self.url, self.marks, time) = (url, marks, identity.time)
        crashGuard = identity.crashGuard?.clamped
        var hash = StableHash()
        hash.combine(url.utf8)
        let prefix = directory.map { "\($0)/\(Self.filePrefix)\(hash.hex)" }
        file = prefix.map { VersionRecordFile(path: "\($0).versions.json") }
        // What an environment variable gives that is not set.
        var instanceID = identity.instanceID.flatMap { $0.isEmpty ? nil : $0 }
        var watch: StartupWatchdog?
        var endings: [StartupWatchdog.Record] = []
        var state = State()
        if let directory, let prefix {
            do throws(FileError) {
                try StandardDirectory.create(directory)
                state.warn(StandardDirectory.warning(about: directory))
                if instanceID == nil { instanceID = try InstanceID.kept(in: directory, identity.random) }
                if crashGuard != nil {
                    watch = try StartupWatchdog(prefix: "\(prefix).watch-", endings: &endings)
                }
            } catch {
                var lacks: [String] = []
                if instanceID == nil {
                    lacks.append("no instance id: this instance takes part in no canary; set instanceID")
                }
                if crashGuard != nil { lacks.append("the crash guard is off") }
                if !lacks.isEmpty { state.warn("\(lacks.joined(separator: "; ")): \(error)") }
            }
        }
        (self.instanceID, self.watch) = (instanceID, watch)
        if let (record, warning) = file?.read() {
            state.record = record
            state.warn(warning)
        }
        self.state = Locked(state)
        count(endings)
    }

    /// How soon after applying a version the end of a process counts.
    var window: Duration { (crashGuard ?? CrashGuard()).window }

    /// Looks at what other processes have left since.
    package func refresh() {
        guard let (record, warning) = file?.read() else { return }
        state.withLock { state in
            state.record = record
            state.warn(warning)
        }
        do throws(FileError) {
            count(try watch?.takeEndings() ?? [])
        } catch {
            warn("the crash guard counts no crash of other processes: \(error)")
        }
    }

    /// Why a document is not used by this process.
    /// - Parameters:
    ///   - document: The document.
    ///   - hasOther: Whether there is another configuration to use in its place. If there is none, a version is not
    ///     held back because of its processes: a service without trackers loses all its events.
    /// - Returns: The reason, nil if there is none.
    package func objection(to document: Document, hasOther: Bool) -> HoldReason? {
        if hasOther, let crashGuard, let (crashes, end) = held.first(where: { $0.0.version == document.version }) {
            let window = JSONValue(shortest: crashGuard.window / .seconds(1))
            let noun = crashes.count == 1 ? "process" : "processes in a row"
            return HoldReason(
                .crashes,
                "\(crashes.count) \(noun) ended within \(window) s of applying it without shutdown(); it is tried again at "
                    + "\(Instant(milliseconds: end).text), or when it is released in the console")
        }
        if let reason = reversion(of: document.version) { return HoldReason(.reverted, "it was reverted: \(reason)") }
        guard let rollout = document.rollout, !rollout.includes(instanceID) else { return nil }
        let percent = JSONValue(shortest: rollout.percent)
        return HoldReason(
            .notSelected, "it is rolled out to \(percent) % of the instances, and this one is not among them")
    }

    /// The versions that are held back because of their processes.
    package var heldVersions: [Int] { crashGuard == nil ? [] : held.map(\.0.version) }

    private var held: [(VersionRecord.Crashes, end: Int64)] {
        let now = time.wallTime
        return record.crashes.compactMap { crashes in crashes.holdEnd(at: now).map { (crashes, $0) } }
    }

    /// Notes that a version is about to be applied, which may be the end of the process.
    func willApply(_ version: Int) {
        watch?.begin(version)
    }

    /// Notes that this process survived the startup window.
    /// - Parameter version: The version that it was watched with; nil for none of this source.
    func survived(_ version: Int?) {
        update { $0.survived(version) }
        watch?.acknowledge()
    }

    /// Releases a version that is held back because of its processes, for all processes of the directory.
    func release(_ version: Int) {
        update { $0.release(version) }
    }

    /// Marks a version as bad.
    package func reverted(_ version: Int, reason: String) {
        update { $0.reverted(version, reason) }
    }

    /// Why a version was marked as bad, by this process or another of the instance; nil if it was not.
    package func reversion(of version: Int) -> String? {
        record.reversions.first { $0.version == version }?.reason
    }

    /// Hands over what was odd.
    package func takeWarnings() -> [ConfigurationError] {
        state.withLock { state in
            defer { state.warnings = [] }
            return state.warnings
        }
    }

    private func count(_ endings: [StartupWatchdog.Record]) {
        guard !endings.isEmpty, let crashGuard else { return }
        let (endings, now) = (Set(endings), time.wallTime)
        // The order of those that are found together is unknown; those that lived come first.
        update { record in
            for ending in endings where ending.mark == .survived { record.survived(ending.version) }
            for ending in endings where ending.mark == .shutDown { record.shutDown(ending.version) }
            for ending in endings where ending.mark == .watching {
                record.vanished(ending.version, limit: crashGuard.processes, at: now)
            }
        }
    }

    private func update(_ change: (inout VersionRecord) -> Void) {
        do throws(FileError) {
            guard let file else { return state.withLock { change(&$0.record) } }
            let (record, warning) = try file.update(change)
            state.withLock { state in
                state.record = record
                state.warn(warning)
            }
        } catch {
            // For this process it counts all the same.
            state.withLock { change(&$0.record) }
            warn("the record of versions cannot be kept: \(error)")
        }
    }

    private func warn(_ reason: String) {
        state.withLock { $0.warn(reason) }
    }
}
