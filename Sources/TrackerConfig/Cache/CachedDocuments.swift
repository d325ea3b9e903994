import FoundationEssentials
import TrackerFeatures

/// The cached documents of a setup, and its fallback without a network.
package struct CachedDocuments: Sendable {
    /// The configuration that a setup uses before its first fetch or after a rollback.
    package struct Fallback: Sendable {
        /// nil if there is no configuration.
        package var configuration: ActiveConfiguration?
        /// The outcomes of the cached documents that are held back on this instance.
        package var held: [ConfigurationOutcome] = []
        package var warnings: [ConfigurationError] = []
    }

    /// The name of the document: its URL, or ``RemoteConfiguration/cacheKey`` with the user.
    package let url: String
    private let cache: any ConfigurationCache
    package let `default`: DefaultConfiguration
    package let defaultVersion: Int?
    private let remote: RemoteConfiguration
    private let collectors: CollectorPolicy
    private let versions: VersionHistory
    private let startTime: Int64

    /// Creates the documents of a URL.
    /// - Parameters:
    ///   - remote: The check of documents.
    ///   - cache: The cache.
    ///   - default: The default.
    ///   - version: The default's version.
    ///   - collectors: The collectors that documents may name.
    ///   - versions: The versions of the URL's documents.
    ///   - startTime: The time when the setup was created, in milliseconds since 1970.
    package init(
        _ remote: RemoteConfiguration, cache: any ConfigurationCache, default: DefaultConfiguration, version: Int?,
        collectors: CollectorPolicy, versions: VersionHistory, startTime: Int64
    ) {
        (url, self.cache, self.default, defaultVersion) = (versions.url, cache, `default`, version)
        (self.remote, self.collectors, self.versions) = (remote, collectors, versions)
        self.startTime = startTime
    }

    /// The entries that pass verification, the newest first.
    package func stored() throws -> [CacheEntry] { try cache.entries(for: url).filter { fault(of: $0) == nil } }

    /// Finds the fallback: the cached document, the previous one, or the default. If there is no other, a document that
    /// only the crash guard holds back is used. Entries that no process can use are removed from the cache.
    /// - Parameter excluded: A configuration that must not be used.
    /// - Returns: The fallback.
    package func fallback(excluding excluded: ActiveConfiguration? = nil) -> Fallback {
        var fallback = Fallback()
        var lastResort: ActiveConfiguration?
        var entries: [CacheEntry] = []
        do {
            entries = try cache.entries(for: url)
        } catch {
            fallback.warnings.append(Self.warning("the cache cannot be read: \(error)"))
        }
        for entry in entries where fallback.configuration == nil {
            switch usability(of: entry, replacing: excluded) {
            case .usable(let document): fallback.configuration = configuration(entry, document)
            case .held(let warning, let reason, let document):
                fallback.warnings += [warning].compactMap(\.self)
                if let reason { fallback.held.append(.held(reason, version: entry.version)) }
                if reason?.kind == .crashes, lastResort == nil {
                    lastResort = document.flatMap { configuration(entry, $0) }
                }
            case .unusable(let reason):
                fallback.warnings.append(Self.warning(entry.warning(reason)))
                do {
                    try cache.remove(entry, for: url)
                } catch {
                    let text = "a cached document that cannot be used was not removed: \(error)"
                    fallback.warnings.append(Self.warning(text))
                }
            }
        }
        if fallback.configuration == nil {
            fallback.configuration =
                `default`.isEmpty ? nil : ActiveConfiguration(`default`, version: defaultVersion, at: startTime)
        }
        guard fallback.configuration == nil, let lastResort else { return fallback }
        fallback.configuration = lastResort
        fallback.held.removeAll { $0.version == lastResort.version }
        // The operator must know that a document is in use although the crash guard holds it back.
        let place = lastResort.version.map { "version \($0)" }
        fallback.warnings = fallback.warnings.map { warning in
            guard warning.place == place else { return warning }
            let reason = "in use, because there is no other document: \(warning.reason)"
            return ConfigurationError(.warning, place: warning.place, reason: reason)
        }
        return fallback
    }

    /// Stores a document for later starts.
    /// - Parameters:
    ///   - configuration: The document.
    ///   - headers: The headers of its response.
    ///   - previous: The previously active configuration.
    ///   - unproven: The version of a canary that has not passed in this process.
    /// - Returns: The warnings.
    package func store(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?
    ) -> [ConfigurationError] {
        guard let version = configuration.version else { return [] }
        let entry = CacheEntry(
            url: url, version: version, document: configuration.text,
            validators: configuration.validators ?? DocumentValidators(),
            fetchTime: Date(milliseconds: configuration.time), headers: remote.verify == nil ? [] : headers)
        // A document that this process would not start with, or cannot read, is no target for a rollback.
        let isGood = { (kept: CacheEntry) -> Bool in
            if unproven == kept.version { return false }
            // It is usually the previously active document, which need not be decoded again. The reason is dropped,
            // because the entry is not kept.
            let known = previous?.text == kept.document ? previous?.document : nil
            guard let document = known ?? (try? Document(kept.document)) else { return false }
            return document.isProven(since: kept.fetchTime.milliseconds, at: entry.fetchTime.milliseconds)
                && versions.holdReason(for: document, hasOther: true) == nil
        }
        var warnings: [ConfigurationError] = []
        do {
            // An entry that fails verification but has a higher version would keep this one out of the cache.
            for stored in try cache.entries(for: url) {
                guard let fault = fault(of: stored) else { continue }
                warnings.append(Self.warning(stored.warning(fault)))
                try cache.remove(stored, for: url)
            }
            try cache.update(url) { CacheSuccession.entries(storing: entry, after: $0, isGood: isGood) }
        } catch {
            warnings.append(Self.warning("the document was applied but not cached: \(error)"))
        }
        return warnings
    }

    private static func warning(_ reason: String) -> ConfigurationError {
        ConfigurationError(.warning, place: "cache", reason: reason)
    }

    /// The usability of an entry.
    private enum Usability {
        case usable(Document)
        /// This process may not use the entry, but another one may.
        case held(ConfigurationError?, HoldReason? = nil, Document? = nil)
        case unusable(String)
    }

    private func usability(of entry: CacheEntry, replacing excluded: ActiveConfiguration?) -> Usability {
        if let reason = fault(of: entry) { return .unusable(reason) }
        let document: Document
        let place = "version \(entry.version)"
        do throws(ConfigurationError) {
            document = try Document(entry.document)
            try collectors.check(document, entry.document)
        } catch {
            // A process with a newer release, or with other allowed collectors, stored it and may need it again.
            guard error.code == .unmetRequirement || error.code == .forbiddenCollector else {
                return .unusable(error.description)
            }
            let reason = error.code == .unmetRequirement ? error.reason : error.description
            return .held(ConfigurationError(.warning, place: place, reason: "held: \(reason)"))
        }
        if document.version == excluded?.version { return .held(nil) }
        guard let reason = versions.holdReason(for: document, hasOther: true) else { return .usable(document) }
        let warning = ConfigurationError(.warning, place: place, reason: "held: \(reason.reason)")
        return .held(warning, reason, versions.holdReason(for: document, hasOther: false) == nil ? document : nil)
    }

    /// The configuration of a cached document; nil if its version is not higher than the default's.
    private func configuration(_ entry: CacheEntry, _ document: Document) -> ActiveConfiguration? {
        guard document.version > defaultVersion ?? -1 else { return nil }
        return ActiveConfiguration(
            .cached, document, entry.document, entry.validators, at: entry.fetchTime.milliseconds)
    }

    /// The reason why no process can use an entry; nil if it can be used. Its key may have been revoked since it was
    /// stored, and write access to the cache does not imply permission to sign.
    private func fault(of entry: CacheEntry) -> String? {
        guard entry.url == url else { return "it belongs to another URL" }
        do throws(ConfigurationError) {
            try remote.check(entry.document, entry.headers)
            return nil
        } catch {
            return error.description
        }
    }
}

extension CacheEntry {
    /// The warning about an entry that cannot be used.
    fileprivate func warning(_ reason: String) -> String {
        "the cached document of version \(version) cannot be used: \(reason)"
    }
}
