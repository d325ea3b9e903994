import TrackerConfig

/// The documents that can be compared: the one in use, the previous one, those in the cache, and the default.
struct KeptDocuments {
    /// A document with its role.
    struct Entry {
        /// `current`, `previous`, `stored-7` or `default`.
        let id: String
        /// nil for the default, which cannot follow another document.
        let document: Document?
        let version: Int?
    }

    /// The entries, the document in use first, the default last.
    private(set) var entries: [Entry] = []

    /// The entry to compare with by default: the previous document, else the newest that was cached before this process
    /// started, else the default.
    let before: Entry?

    /// The cached documents that cannot be read, one sentence each.
    private(set) var warnings: [String] = []

    /// Finds the documents of a setup, reading its cache.
    init(_ setup: Setup) {
        let (lifecycle, documents) = (setup.updater.status.lifecycle, setup.updater.parts.documents)
        if let document = lifecycle.active?.document {
            entries.append(Entry(id: "current", document: document, version: document.version))
        }
        // The document was once read from these bytes, so reading them again should not fail.
        if let text = lifecycle.previousText, !text.isEmpty, let document = try? Document(text) {
            entries.append(Entry(id: "previous", document: document, version: document.version))
        }
        var stored: [CacheEntry] = []
        do { stored = try documents.stored() } catch { warnings.append("the cache cannot be read: \(error)") }
        for stored in stored {
            do throws(ConfigurationError) {
                let document = try Document(stored.document)
                guard !entries.contains(where: { $0.document?.digest == document.digest }) else { continue }
                let version = document.version
                entries.append(Entry(id: "stored-\(version)", document: document, version: version))
            } catch {
                warnings.append("the stored document of version \(stored.version) cannot be read: \(error)")
            }
        }
        if !documents.default.isEmpty {
            entries.append(Entry(id: "default", document: nil, version: documents.defaultVersion))
        }
        let others = entries.filter { $0.id != "current" }
        before = lifecycle.previousText?.isEmpty == true ? others.last : others.first
    }

    /// The document with an id.
    subscript(id: String) -> Entry? { entries.first { $0.id == id } }
}
