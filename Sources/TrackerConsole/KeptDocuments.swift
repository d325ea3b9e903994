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
    }

    /// The one in use first, the default last.
    private(set) var entries: [Entry] = []

    /// What the one in use is compared with if the request names nothing: the one before it, else the newest that was stored
    /// before this process started, else the default.
    let before: Entry?

    /// What the cache has and cannot be read, a sentence each.
    private(set) var warnings: [String] = []

    /// Finds the documents of a setup; the cache is read.
    init(_ setup: Setup) {
        let (status, documents) = (setup.updater.status, setup.updater.parts.documents)
        if let document = status.active?.document {
            entries.append(Entry(id: "current", document: document, version: document.version))
        }
        // What was in use was read from these bytes and can be read from them again; if not, nothing is known of it.
        if let text = status.previousText, !text.isEmpty, let document = try? Document(text) {
            entries.append(Entry(id: "previous", document: document, version: document.version))
        }
        for stored in documents.stored {
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
        before = status.previousText?.isEmpty == true ? others.last : others.first
    }

    /// The document with an id.
    subscript(id: String) -> Entry? { entries.first { $0.id == id } }
}
