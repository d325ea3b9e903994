import TrackerFeatures

/// The history of a URL's documents on this machine: stores the reasons for which this process rejects newer versions.
///
/// Used by one thread at a time: the thread that creates the setup, then its updater's.
package final class VersionHistory: Sendable {
    private struct State: Sendable {
        var record = VersionRecord()
        /// The warnings since they were last taken.
        var warnings: [ConfigurationError] = []

        mutating func warn(_ reason: String?) {
            guard let reason else { return }
            // A canary is checked every few seconds, and the same failure repeats each time.
            let warning = ConfigurationError(.warning, place: "state", reason: reason)
            if !warnings.contains(warning) { warnings.append(warning) }
        }
    }

    /// The prefix of its files' names, before the hash of the URL.
    static let filePrefix = "configuration-"

    /// The document's name: its URL, or the cache key, with the user.
    let url: String

    /// The id by which rollouts select the instance; nil if none can select it.
    let instanceID: String?

    /// nil if there is no usable state directory or no crash guard.
    package let watch: StartupWatchdog?

    /// The locks of the user's files, held as long as this object exists.
    private let marks: [FileLock]
    private let crashGuard: CrashGuard?
    private let time: any TimeSource
    private let file: VersionRecordFile?
    private let state: Locked<State>

    private var record: VersionRecord { state.withLock { $0.record } }

    /// Reads the records of earlier processes.
    /// - Parameters:
    ///   - directory: The state directory; nil stores nothing.
    ///   - url: The source's URL.
    ///   - crashGuard: The conditions under which a version is held back because its processes crash; nil never holds
    ///     one back.
    ///   - instanceID: The id by which rollouts select the instance; nil for the id stored in the state directory.
    ///   - random: The source of that id.
    ///   - time: The clock.
    ///   - marks: The locks of the user's files.
    package init(
        directory: String?, url: String, crashGuard: CrashGuard?, instanceID: String?, random: any RandomSource,
        time: any TimeSource, marks: [FileLock] = []
    ) {
        (self.url, self.marks, self.time) = (url, marks, time)
        self.crashGuard = crashGuard?.clamped
        var hash = StableHash()
        hash.combine(url.utf8)
        let prefix = directory.map { "\($0)/\(Self.filePrefix)\(hash.hex)" }
        file = prefix.map { VersionRecordFile(path: "\($0).versions.json") }
        // An unset environment variable may give an empty id.
        var instanceID = instanceID.flatMap { $0.isEmpty ? nil : $0 }
        var watch: StartupWatchdog?
        var endings: [StartupWatchdog.Record] = []
        var state = State()
        if let directory, let prefix {
            do throws(FileError) {
                try StandardDirectory.create(directory)
                state.warn(StandardDirectory.warning(about: directory))
                if instanceID == nil { instanceID = try InstanceID.kept(in: directory, random) }
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

    /// The time after applying a version in which the end of a process counts.
    var window: Duration { (crashGuard ?? CrashGuard()).window }

    /// Reads the records that other processes have written since.
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

    /// Returns the reason why this process does not use a document.
    /// - Parameters:
    ///   - document: The document.
    ///   - hasOther: Whether there is another configuration to use instead. If there is none, a version is not held
    ///     back because of crashes: a service without trackers drops all its events.
    /// - Returns: The reason; nil if there is none.
    package func holdReason(for document: Document, hasOther: Bool) -> HoldReason? {
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

    /// The versions that are held back because of crashes.
    package var heldVersions: [Int] { crashGuard == nil ? [] : held.map(\.0.version) }

    private var held: [(VersionRecord.Crashes, end: Int64)] {
        let now = time.wallTime
        return record.crashes.compactMap { crashes in crashes.holdEnd(at: now).map { (crashes, $0) } }
    }

    /// Notes that a version is about to be applied, which may crash the process.
    func willApply(_ version: Int) {
        watch?.begin(version)
    }

    /// Notes that this process survived the startup window.
    /// - Parameter version: The version with which it was watched; nil if it was not a version of this source.
    func survived(_ version: Int?) {
        update { $0.survived(version) }
        watch?.acknowledge()
    }

    /// Releases a version that is held back because of crashes, for all processes of the directory.
    func release(_ version: Int) {
        update { $0.release(version) }
    }

    /// Records that a version was reverted.
    package func reverted(_ version: Int, reason: String) {
        update { $0.reverted(version, reason) }
    }

    /// The reason why a version was reverted by this process or another one of the instance; nil if it was not.
    package func reversion(of version: Int) -> String? {
        record.reversions.first { $0.version == version }?.reason
    }

    /// Returns the warnings noted since the last call and clears them.
    package func takeWarnings() -> [ConfigurationError] {
        state.withLock { state in
            defer { state.warnings = [] }
            return state.warnings
        }
    }

    private func count(_ endings: [StartupWatchdog.Record]) {
        guard !endings.isEmpty, let crashGuard else { return }
        let (endings, now) = (Set(endings), time.wallTime)
        // Endings found together have no order. Count survivals first, so that they do not clear newer crashes.
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
            // The change still applies in this process.
            state.withLock { change(&$0.record) }
            warn("the record of versions cannot be kept: \(error)")
        }
    }

    private func warn(_ reason: String) {
        state.withLock { $0.warn(reason) }
    }
}
