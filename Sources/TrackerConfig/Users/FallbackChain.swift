import FoundationEssentials

/// The fallbacks of a service without a network, in order: the user's cached document and the one before it, the shared
/// document's two, the default. It decides by entries that were read before.
package struct FallbackChain: Sendable {
    /// The decision.
    struct Choice: Sendable {
        /// nil if there is none at all.
        var configuration: ActiveConfiguration?
        var warnings: [ConfigurationError] = []
        /// The entries that no process can use, by URL.
        var unusable: [String: [CacheEntry]] = [:]
        /// The documents that were passed over for what this instance knows of them.
        var skipped: [Skipped] = []
    }

    /// A cached document that is held back.
    package struct Skipped: Sendable {
        package let version: Int
        package let objection: HoldReason
    }

    /// The documents' URLs, the first choice first.
    let urls: [String]
    let `default`: DefaultConfiguration
    let defaultVersion: Int?
    /// Checks a document that was fetched earlier.
    let verification: Verification
    let startTime: Int64
    let collectors: CollectorPolicy

    private var hasDefault: Bool { !`default`.isEmpty }

    /// The first configuration that can be used.
    /// - Parameters:
    ///   - entries: What the cache has, by URL.
    ///   - excluded: A configuration that is not to be used.
    ///   - documents: The user's documents.
    /// - Returns: The decision.
    func firstUsable(
        in entries: [String: [CacheEntry]], excluding excluded: ActiveConfiguration? = nil, _ documents: UserDocuments
    ) -> Choice {
        var choice = Choice()
        var warnings: [[ConfigurationError]] = []
        for url in urls {
            let found = cached(url, entries[url] ?? [], excluding: excluded, documents, hasOther: true)
            warnings.append(found.warnings)
            choice.unusable.merge(found.unusable) { first, _ in first }
            choice.skipped += found.skipped
            choice.configuration = found.configuration
            if found.configuration != nil { break }
        }
        if choice.configuration == nil, hasDefault {
            choice.configuration = ActiveConfiguration(`default`, version: defaultVersion, at: startTime)
        }
        for (index, url) in urls.enumerated() where choice.configuration == nil {
            let found = cached(url, entries[url] ?? [], excluding: excluded, documents, hasOther: false)
            choice.configuration = found.configuration
            choice.skipped.removeAll { $0.version == found.configuration?.version }
            // The operator should know that a document that is used after all was nearly held back.
            let place = found.configuration?.version.map { "version \($0)" }
            let earlier = warnings[index].map { warning in
                warning.place == place
                    ? ConfigurationError(
                        .warning, place: warning.place,
                        reason: "in use, because there is no other document: \(warning.reason)")
                    : warning
            }
            warnings[index] = earlier + found.warnings.filter { !warnings[index].contains($0) }
        }
        choice.warnings = Array(warnings.joined())
        return choice
    }

    /// What an entry is good for.
    private enum Judgement {
        case usable(Document)
        /// This process may not use it, another one may.
        case held(ConfigurationError?, Skipped? = nil)
        case unusable(String)
    }

    private func cached(
        _ url: String, _ entries: [CacheEntry], excluding excluded: ActiveConfiguration?, _ documents: UserDocuments,
        hasOther: Bool
    ) -> Choice {
        var (held, faults): ([ConfigurationError], [ConfigurationError]) = ([], [])
        var (unusable, usable): ([CacheEntry], (CacheEntry, Document)?) = ([], nil)
        var skipped: [Skipped] = []
        for entry in entries {
            switch judge(entry, of: url, excluding: excluded, documents, hasOther: hasOther) {
            case .usable(let document): usable = (entry, document)
            case .held(let warning, let document):
                held += [warning].compactMap(\.self)
                skipped += [document].compactMap(\.self)
            case .unusable(let reason):
                unusable.append(entry)
                faults.append(ConfigurationError(.warning, place: "cache", reason: entry.warning(reason)))
            }
            if usable != nil { break }
        }
        var choice = Choice(
            warnings: held + faults, unusable: unusable.isEmpty ? [:] : [url: unusable], skipped: skipped)
        if let (entry, document) = usable, document.version > defaultVersion ?? -1 {
            choice.configuration = ActiveConfiguration(
                .cached, document, entry.document, entry.validators, url: url, at: entry.fetchTime.milliseconds)
        }
        return choice
    }

    private func judge(
        _ entry: CacheEntry, of url: String, excluding excluded: ActiveConfiguration?, _ documents: UserDocuments,
        hasOther: Bool
    ) -> Judgement {
        if let reason = verification.fault(of: entry, at: url) { return .unusable(reason) }
        let document: Document
        do throws(ConfigurationError) {
            document = try Document(entry.document)
        } catch {
            guard error.code == .unmetRequirement else { return .unusable(error.description) }
            // A process of a newer release stored it, and may need it again.
            let place = error.version.map { "version \($0)" } ?? "cache"
            return .held(ConfigurationError(.warning, place: place, reason: "held: \(error.reason)"))
        }
        if url == excluded?.url, document.version == excluded?.version { return .held(nil) }
        let history = documents.history(of: url)
        if let objection = history?.objection(to: document, hasOther: hasOther) {
            let place = "version \(document.version)"
            return .held(
                ConfigurationError(.warning, place: place, reason: "held: \(objection.reason)"),
                Skipped(version: document.version, objection: objection))
        }
        do throws(ConfigurationError) {
            try collectors.check(document, entry.document)
        } catch {
            return .held(ConfigurationError(.warning, place: "version \(document.version)", reason: "held: \(error)"))
        }
        return .usable(document)
    }
}

extension Verification {
    /// Why no process can use an entry; nil if it can. A key may have been revoked since it was stored, and write access to
    /// the cache is no right to sign.
    func fault(of entry: CacheEntry, at url: String) -> String? {
        guard entry.url == url else { return "it belongs to another URL" }
        do throws(ConfigurationError) {
            try check(entry.document, entry.headers)
            return nil
        } catch {
            return error.description
        }
    }
}

extension CacheEntry {
    /// The warning about an entry that cannot be used.
    func warning(_ reason: String) -> String {
        "the cached document of version \(version) cannot be used: \(reason)"
    }
}

extension ConfigurationChange {
    /// The change that a start without a cached document is. One that is held back because of its processes is undone by it.
    init(_ skipped: FallbackChain.Skipped, at time: Date) {
        let (version, objection) = (skipped.version, skipped.objection)
        self.init(
            kind: objection.kind == .crashes ? .reverted : .held, version: version,
            text: "version \(version) is held back: \(objection.reason)",
            time: time, needsAttention: objection.isTrouble)
    }
}
