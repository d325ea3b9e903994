/// A user's documents: where they are, what fetches them, and what is known of their versions.
package struct UserDocuments: Sendable {
    package let scope: UserScope
    /// Fetches the user's own document.
    let source: any ConfigurationSource
    /// The history of the document that is fetched.
    package let own: VersionHistory
    /// The history of the document that all users fall back to; nil if that is the one that is fetched.
    private let shared: VersionHistory?

    init(_ scope: UserScope, _ source: any ConfigurationSource, own: VersionHistory, shared: VersionHistory? = nil) {
        (self.scope, self.source, self.own, self.shared) = (scope, source, own, shared)
    }

    /// The history of a URL's documents; nil if they are not this user's.
    package func history(of url: String?) -> VersionHistory? {
        [own, shared].compactMap(\.self).first { $0.url == url }
    }

    /// The history of a configuration; a default has none, and gets the one of the document that is fetched.
    package subscript(configuration: ActiveConfiguration?) -> VersionHistory { history(of: configuration?.url) ?? own }

    /// The watchdogs of this process.
    var watchdogs: [StartupWatchdog] { [own.watch, shared?.watch].compactMap(\.self) }

    /// Notes that this process survived the startup window with a version, nil for a default; if its watchdog is gone, the next
    /// process reports it.
    func survived(_ version: Int?, under watch: StartupWatchdog) {
        for history in [own, shared] { history?.survived(history?.watch === watch ? version : nil) }
    }

    /// Hands over what was odd, each once.
    package func takeWarnings() -> [ConfigurationError] {
        let warnings = own.takeWarnings()
        return warnings + (shared?.takeWarnings() ?? []).filter { !warnings.contains($0) }
    }
}

/// A switch to another user that is being made.
package struct PendingSwitch: Sendable {
    package let documents: UserDocuments
    /// What the user falls back to; nil if there is nothing.
    package let fallback: ActiveConfiguration?
    /// What was odd in the search for it.
    let warnings: [ConfigurationError]

    package init(
        to documents: UserDocuments, fallback: ActiveConfiguration?, warnings: [ConfigurationError] = []
    ) {
        (self.documents, self.fallback, self.warnings) = (documents, fallback, warnings)
    }

    var scope: UserScope { documents.scope }

    /// Whether a configuration stays in use.
    func keeps(_ active: ActiveConfiguration?) -> Bool { fallback?.isSame(as: active) ?? false }
}
