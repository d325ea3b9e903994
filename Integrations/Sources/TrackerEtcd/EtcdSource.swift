import FoundationEssentials
public import TrackerConfig

/// A document in a key of etcd, which is watched.
///
/// ```swift
/// var options = SetupOptions()
/// options.source = EtcdSource(EtcdOptions(endpoints: ["https://etcd-1.internal:2379"]), key: "shop/trackers.json")
/// ```
///
/// A publisher sends no hint: `etcdctl put shop/trackers.json < trackers.json`.
///
/// It needs etcd 3.4 or later, whose JSON gateway is not disabled. A fetch reads the key through the cluster's leader, and transfers the
/// document only if the revision of its last change, which is its ``DocumentValidators/entityTag``, is another. A change of the key, which
/// is watched, is a hint.
public final class EtcdSource: ConfigurationSource {
    let client: EtcdClient
    /// The key in base64.
    let key: String
    private let maxDocumentSize: Int
    let streamTimeout: Duration
    private let name: String

    /// Creates a source. It connects with the first call.
    /// - Parameters:
    ///   - options: The addresses of the members.
    ///   - key: The key with the document.
    ///   - maxDocumentSize: The largest document in bytes; 1 MiB by default. etcd itself allows 1.5 MiB unless it is configured.
    ///   - streamTimeout: The longest time without an answer of the member that is watched, 1 s … 1 day; 45 s by default. After each
    ///     third of it, the source asks for the revision of the key, without the document: so it also notices a watch that is dead and
    ///     looks alive.
    ///   - transport: The transport of the requests; one of its own by default, with a thread. A watch is one request in progress, so
    ///     a transport that many sources share needs as many connections to one server, and some more.
    public convenience init(
        _ options: EtcdOptions, key: String, maxDocumentSize: Int = 1 << 20, streamTimeout: Duration = .seconds(45),
        transport: CurlTransport = CurlTransport()
    ) {
        self.init(
            options, key: key, maxDocumentSize: maxDocumentSize,
            silence: min(max(streamTimeout, .seconds(1)), .seconds(86_400)), transport: transport)
    }

    /// Creates a source whose longest time without an answer has no bounds.
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
    /// - Throws: ``FetchError`` if there is neither; its status is 404 if there is no such key.
    public func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        // A comparison and no lower bound, because the revisions of a cluster that was restored may be lower. No change has the
        // revision 1.
        let known = validators?.entityTag.flatMap { Int64($0) } ?? 1
        let body = """
            {"compare": [{"key": "\(key)", "target": "MOD", "result": "EQUAL", "mod_revision": "\(known)"}],
             "success": [{"request_range": {"key": "\(key)", "keys_only": true}}],
             "failure": [{"request_range": {"key": "\(key)"}}]}
            """
        // What base64 and the rest of the answer add.
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
