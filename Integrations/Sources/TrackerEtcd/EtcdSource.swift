import FoundationEssentials
public import TrackerFeatures

/// A document in a key of etcd, with a watch for changes.
///
/// ```swift
/// var options = SetupOptions()
/// options.source = EtcdSource(EtcdOptions(endpoints: ["https://etcd-1.internal:2379"]), key: "shop/trackers.json")
/// ```
///
/// A publisher sends no hint: `etcdctl put shop/trackers.json < trackers.json`.
///
/// It needs etcd 3.4 or later with the JSON gateway enabled. A fetch reads the key through the cluster's leader, and
/// transfers the document only if the revision of its last change, its ``DocumentValidators/entityTag``, has changed.
/// Each change of the watched key is a hint.
public final class EtcdSource: ConfigurationSource {
    let client: EtcdClient
    /// The key in base64.
    let key: String
    private let maxDocumentSize: Int
    let streamTimeout: Duration
    private let name: String

    /// Creates a source. It connects when it is first used.
    /// - Parameters:
    ///   - options: The addresses of the members.
    ///   - key: The key with the document.
    ///   - maxDocumentSize: The maximum size of the document in bytes; 1 MiB by default. etcd's own limit is 1.5 MiB
    ///     unless it is configured.
    ///   - streamTimeout: The longest time without an answer of the watched member, 1 s … 1 day; 45 s by default. After
    ///     each third of it, the source requests the revision of the key, without the document, so that it also detects
    ///     a dead watch on an open connection.
    ///   - transport: The transport of the requests; by default a new one, with its own thread. A watch is a request in
    ///     progress, so a transport that several sources share needs at least one connection to the server for each of
    ///     them, and some more.
    public convenience init(
        _ options: EtcdOptions, key: String, maxDocumentSize: Int = 1 << 20, streamTimeout: Duration = .seconds(45),
        transport: CurlTransport = CurlTransport()
    ) {
        self.init(
            options, key: key, maxDocumentSize: maxDocumentSize,
            silence: min(max(streamTimeout, .seconds(1)), .seconds(86_400)), transport: transport)
    }

    /// Creates a source without bounds for the longest time without an answer.
    init(
        _ options: EtcdOptions, key: String, maxDocumentSize: Int = 1 << 20, silence: Duration,
        transport: CurlTransport = CurlTransport()
    ) {
        client = EtcdClient(options, transport)
        name = key
        self.key = Data(key.utf8).base64EncodedString()
        self.maxDocumentSize = max(maxDocumentSize, 0)
        streamTimeout = silence
    }

    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use; nil fetches the document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if the fetch fails; its status is 404 if the key does not exist.
    public func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        // Compare for equality, because the revisions of a restored cluster may be lower. No change has revision 1.
        let known = validators?.entityTag.flatMap { Int64($0) } ?? 1
        let body = """
            {"compare": [{"key": "\(key)", "target": "MOD", "result": "EQUAL", "mod_revision": "\(known)"}],
             "success": [{"request_range": {"key": "\(key)", "keys_only": true}}],
             "failure": [{"request_range": {"key": "\(key)"}}]}
            """
        // The overhead of Base64 and of the rest of the answer.
        let maxSize = maxDocumentSize / 3 * 4 + 4096
        let tooLarge = FetchError(.tooLarge, reason: "the document is larger than \(maxDocumentSize) bytes")
        let answer: EtcdTransaction
        do throws(FetchError) {
            answer = try await client.call("/v3/kv/txn", Array(body.utf8), maxSize: maxSize)
        } catch {
            throw error.code == .tooLarge ? tooLarge : error
        }
        guard let range = answer.responses?.first?.response_range else {
            throw FetchError(.transport, reason: "an answer of etcd has no range")
        }
        guard let found = range.kvs?.first else {
            throw FetchError(.status, reason: "etcd has no key '\(name)'", status: 404)
        }
        if answer.succeeded == true { return nil }
        guard let revision = found.mod_revision?.value, let value = Data(base64Encoded: found.value ?? "") else {
            throw FetchError(.transport, reason: "an answer of etcd has no value in base64")
        }
        guard value.count <= maxDocumentSize else { throw tooLarge }
        return FetchedDocument(Array(value), validators: DocumentValidators(entityTag: "\(revision)"))
    }
}
