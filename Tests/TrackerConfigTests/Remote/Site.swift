import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer

/// A web server on this machine with a real source that fetches from it.
final class Site: Sendable {
    private let server: LoopbackServer
    private let seen = Locked<[ServerRequest]>([])

    init(_ handler: @escaping @Sendable (ServerRequest) -> ServerReply) throws {
        server = try LoopbackServer { [seen] request in
            seen.withLock { $0.append(request) }
            return handler(request)
        }
    }

    var requests: [ServerRequest] { seen.withLock { $0 } }

    /// The methods and paths of all requests.
    var lines: [String] { requests.map { "\($0.method) \($0.path)" } }

    func url(_ path: String = "/trackers.json") -> String { server.url + path }

    func stop() { server.stop() }

    /// Fetches once, over libcurl.
    func fetch(
        _ path: String = "/trackers.json", _ validators: DocumentValidators? = nil,
        method: NetworkConfiguration.Method = .get,
        configure: (inout RemoteConfiguration) -> Void = { _ in }
    ) async throws -> Fetched {
        var remote = RemoteConfiguration(endpoint: url(path), method: method)
        // A busy machine must not decide a test; those about the timeout set their own.
        remote.timeout = .seconds(240)
        configure(&remote)
        return await HTTPSource.fetched(try HTTPSource(remote, transport: CurlTransport()), validators)
    }
}

/// What a fetch gave, in a form that can be compared.
enum Fetched: Equatable {
    case document(String, DocumentValidators)
    case notModified
    case failed(NamedCode<FetchError>, String, status: Int? = nil)

    /// The kind of the failure, if it is one.
    var code: NamedCode<FetchError>? {
        if case .failed(let code, _, _) = self { code } else { nil }
    }

    /// The status of the answer that is the failure, if it is one.
    var status: Int? {
        if case .failed(_, _, let status) = self { status } else { nil }
    }

    /// The document, if it is one.
    var text: String? {
        if case .document(let text, _) = self { text } else { nil }
    }
}

extension ConfigurationSource {
    static func fetched(_ source: Self, _ validators: DocumentValidators? = nil) async -> Fetched {
        do throws(FetchError) {
            guard let document = try await source.fetch(validators) else { return .notModified }
            return .document(String(decoding: document.bytes, as: UTF8.self), document.validators)
        } catch {
            return .failed(error.code, error.reason, status: error.status)
        }
    }
}
