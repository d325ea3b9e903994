import TestSupport
import TrackerConfig
import TrackerCore

/// A web server with a document for each user, and a service that fetches them.
///
/// Each document has its tag, by which it is asked for again.
struct UserSite: Sendable {
    static let url = "https://config.example/{user}.json"

    let service = Service()
    private let documents = Locked<[String: String]>([:])

    init() {
        let documents = self.documents
        service.transport.respond { request in
            guard request.url.hasPrefix("https://config.example/") else {
                return .success(HTTPTransportResponse(status: 200))
            }
            guard let text = documents.withLock({ $0[request.url] }) else {
                return .success(HTTPTransportResponse(status: 404))
            }
            let tag = HTTPHeader(name: "ETag", value: Self.tag(text))
            let isKnown = request.headers.contains(HTTPHeader(name: "If-None-Match", value: tag.value))
            return .success(
                HTTPTransportResponse(
                    status: isKnown ? 304 : 200, headers: [tag], body: isKnown ? [] : Array(text.utf8)))
        }
    }

    /// Where a user's document is; nil is nobody, whose document is for all.
    static func url(_ user: String?) -> String { "https://config.example/\(user ?? "").json" }

    /// A tag that no other document has.
    static func tag(_ text: String) -> String {
        var hash = StableHash()
        hash.combine(text.utf8)
        return hash.hex
    }

    /// A document with a tracker for each namespace.
    static func text(_ version: Int, _ namespaces: [String], more: String = "") -> String {
        let bundles = namespaces.map { DocumentText.bundle($0) }.joined(separator: ",")
        return DocumentText.document(version, bundles, more: more)
    }

    func publish(_ version: Int, _ namespaces: String..., for user: String?, more: String = "") {
        documents.withLock { $0[Self.url(user)] = Self.text(version, namespaces, more: more) }
    }

    /// Leaves a document in the cache, as an earlier process would have.
    func cache(_ version: Int, _ namespaces: String..., for user: String?, more: String = "") throws {
        try service.cache(Self.text(version, namespaces, more: more), url: Self.url(user))
    }

    /// Starts as a user and waits for the first fetch.
    func start(
        as user: String?, _ url: String = Self.url, default bundles: [ConfigurationBundle] = [], version: Int? = nil,
        configure: (inout SetupOptions) -> Void = { _ in }, remote: (inout RemoteConfiguration) -> Void = { _ in }
    ) async throws -> Setup {
        try await service.started(
            url, default: bundles, version: version, configure: configure,
            remote: {
                $0.user = user
                remote(&$0)
            })
    }

    /// The paths that were asked for.
    var paths: [String] { service.fetches.map { String($0.url.dropFirst("https://config.example".count)) } }
}

extension ConfigurationUpdate {
    /// The update as the service's trace has it: `cached 1 ["a"]`.
    var short: String { "\(state) \(version.map { "\($0)" } ?? "nil") \(namespaces)" }
}
