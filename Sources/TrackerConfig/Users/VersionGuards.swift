/// The guards of the documents that may be in use: the current user's own, and the one that all users fall back to.
package struct VersionGuards: Sendable {
    /// Of the document that is fetched.
    package var own: VersionGuard
    /// nil where the document that is fetched is the one for all.
    private var shared: VersionGuard?

    init(own: VersionGuard, shared: VersionGuard? = nil) {
        (self.own, self.shared) = (own, shared)
    }

    /// The guard of a configuration; a default has none, and gets the one of the document that is fetched.
    package subscript(configuration: ActiveConfiguration?) -> VersionGuard {
        get { known(configuration?.url) ?? own }
        set {
            if newValue.url == own.url { own = newValue } else { shared = newValue }
        }
    }

    /// The guard of a URL, nil if there is none.
    package func known(_ url: String?) -> VersionGuard? {
        [own, shared].compactMap(\.self).first { $0.url == url }
    }

    /// The watchdogs of this process.
    var watchdogs: [StartupWatchdog] { [own.watch, shared?.watch].compactMap(\.self) }

    /// A watchdog with the version that it watched this process with.
    typealias Watch = (watchdog: StartupWatchdog, version: DocumentVersion)

    /// Notes that a configuration is about to be applied, which may be the end of the process.
    package func willApply(_ configuration: ActiveConfiguration) {
        abandonWatch()
        if let document = configuration.document { self[configuration].willApply(document.documentVersion) }
    }

    /// Notes that a configuration was applied.
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - target: What a rollback would apply; nil for nothing.
    package mutating func applied(_ configuration: ActiveConfiguration, over target: ActiveConfiguration?) {
        guard let document = configuration.document else { return }
        var good: DocumentVersion?
        // The cache keeps no other one for later starts.
        if let target, target.url == configuration.url,
            target.document?.isProven(since: target.time, at: configuration.time) == true
        {
            good = target.documentVersion
        }
        self[configuration].applied(document, over: good)
    }

    /// Stops the watchdog of this process because its version is gone.
    /// - Returns: What was watched.
    @discardableResult
    func abandonWatch() -> [Watch] {
        watchdogs.compactMap { watchdog in watchdog.abandon().map { (watchdog, $0) } }
    }

    /// Notes that this process lives on with a version; if its watchdog is gone, the next process reports it.
    mutating func survived(_ version: DocumentVersion, under watch: StartupWatchdog) {
        if own.watch === watch { own.survived(version) }
        if shared?.watch === watch { shared?.survived(version) }
    }

    /// Hands over what was odd, each once.
    package mutating func takeWarnings() -> [ConfigurationWarning] {
        let warnings = own.takeWarnings()
        return warnings + (shared?.takeWarnings() ?? []).filter { !warnings.contains($0) }
    }
}

extension Document {
    /// Whether it is no canary any more in any process of an instance: another one may have begun to observe it later.
    /// - Parameters:
    ///   - start: When it was fetched, in milliseconds since 1970.
    ///   - time: The time, in milliseconds since 1970.
    /// - Returns: Whether it is proven.
    func isProven(since start: Int64, at time: Int64) -> Bool {
        rollout.map { Duration.milliseconds(time - start) >= $0.bakeTime * 2 } ?? true
    }
}
