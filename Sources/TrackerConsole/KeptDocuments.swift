import TrackerConfig

/// The documents that a service still has, so that they can be compared: the one in use, the one before it, those that its
/// cache has, and the default.
struct KeptDocuments {
    /// A document with its role.
    struct Entry {
        /// `current`, `previous`, `stored-7` or `default`.
        let id: String
        /// nil for the default, which cannot follow another document.
        let document: Document?
        let version: Int?
        var isReverted = false
    }

    /// The one in use first, the default last.
    let entries: [Entry]

    /// What the one in use is compared with if the request names nothing: the one before it, else the newest that was stored
    /// before this process started, else the default.
    let before: Entry?

    /// What the cache has and cannot be read, a sentence each.
    let warnings: [String]

    /// Finds the documents of a setup; the cache is read.
    init(_ setup: Setup) {
        let status = setup.updater.status
        let parts = setup.updater.parts
        var entries: [Entry] = []
        var warnings: [String] = []
        if let document = status.active?.document { entries.append(Entry("current", document, parts.history)) }
        // What was in use was read from these bytes and can be read from them again; if not, nothing is known of it.
        if let text = status.previousText, !text.isEmpty, let document = try? Document(text) {
            entries.append(Entry("previous", document, parts.history))
        }
        for stored in parts.documents.stored {
            do throws(ConfigurationError) {
                let document = try Document(stored.document)
                let isKnown = entries.contains {
                    $0.version == document.version && $0.document?.digest == document.digest
                }
                if !isKnown { entries.append(Entry("stored-\(document.version)", document, parts.history)) }
            } catch {
                warnings.append("the stored document of version \(stored.version) cannot be read: \(error)")
            }
        }
        if !parts.documents.default.isEmpty {
            entries.append(Entry(id: "default", document: nil, version: parts.documents.defaultVersion))
        }
        (self.entries, self.warnings) = (entries, warnings)
        let others = entries.filter { $0.id != "current" }
        before = status.previousText?.isEmpty == true ? others.last : others.first
    }

    /// The document with an id.
    subscript(id: String) -> Entry? { entries.first { $0.id == id } }

    /// The documents as JSON.
    var json: JSONValue {
        .array(
            entries.map {
                ["id": .string($0.id), "version": JSONValue($0.version), "isReverted": .bool($0.isReverted)]
            })
    }
}

extension KeptDocuments.Entry {
    fileprivate init(_ id: String, _ document: Document, _ history: VersionHistory) {
        let version = document.version
        self.init(id: id, document: document, version: version, isReverted: history.reversion(of: version) != nil)
    }
}
