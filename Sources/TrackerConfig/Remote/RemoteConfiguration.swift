/// Where the remote document is and how it is fetched.
///
/// The built-in transport honours the environment's proxy variables, read for each request: `http_proxy` (in lower case
/// only), `https_proxy`, `all_proxy` and `no_proxy`; see ``CurlTransport``.
///
/// ```swift
/// var remote = RemoteConfiguration(endpoint: "https://config.example.com/trackers.json")
/// remote.timeout = .seconds(5)
/// ```
public struct RemoteConfiguration: Sendable {
    /// How the document is asked for.
    @nonexhaustive
    public enum Method: String, Sendable, Hashable {
        /// A GET request, conditional where a document is at hand.
        case get = "GET"
        /// A POST request with an empty body, for servers that want one.
        case post = "POST"
    }

    /// The document's URL: `http`, `https` or `file`; without a scheme `https` is taken. Where `{user}` stands in its path
    /// or query, each user has a document of their own, see ``user``.
    public var endpoint: String

    /// The user at the start, whose id stands for each `{user}` of the URL, percent-encoded but for letters, digits and
    /// `-._~`; in the name of a file it stands in that form. nil or empty is no user, whose document is the one that all
    /// users fall back to; `.` and `..` cannot be used. Built in: nil. See ``Setup/switchUser(to:)``.
    public var user: String?

    /// Whether a switch to another user fetches their document at once, in the background. Polling goes on in any case,
    /// and fetches it in its time. Built in: false.
    public var refreshesOnUserChange = false

    /// How the document is asked for; built in: ``Method/get``.
    public var method: Method

    /// More headers of the request, as `Authorization`; left out if a redirect leads to another server. A `User-Agent`
    /// replaces the SDK's own, `tracker-config/VERSION (swift-srv-VERSION)`. Built in: none.
    public var headers: [HTTPHeader] = []

    /// The time for a whole fetch, redirects included; built in: 10 s.
    public var timeout: Duration = .seconds(10)

    /// The largest document in bytes, after decompression; built in: 1 MiB.
    public var maxDocumentSize = 1 << 20

    /// The path of a file of certificates in PEM form to trust instead of the system's; nil, the default, for the system's.
    /// A fetch fails with a sentence that names the file if it cannot be used.
    public var certificateFile: String?

    /// The collectors that a document may name: origins like `https://collector.example.com:8443`, without a path, and
    /// domains like `*.example.com`, which stand for all hosts below. Without a scheme `https` is meant, without a port the
    /// scheme's own. A document that names another collector is rejected. The collectors that the default names are allowed
    /// too; the default and what is set at run time are not checked. An empty list allows no others. The request headers set in
    /// code are sent to these collectors. nil, the default, allows every collector; then a warning names those that are
    /// unencrypted, link-local or on this machine.
    public var allowedCollectors: [String]?

    /// Checks a document before it is read, for example its signature; an error that it throws rejects the document. It
    /// gets the bytes as the server sent them, decompressed, and the headers of the answer (none for a file), on the thread
    /// of the updates.
    ///
    /// It also checks each cached document before use, with the headers that were kept with it, at the start on the thread
    /// that makes the setup. A cached document that it refuses is removed with a warning; so is one that an earlier
    /// release cached without headers, if the closure needs them. Built in: none. `Examples/Verification` has one for an
    /// HMAC and one for an Ed25519 signature.
    public var verify: (@Sendable (_ bytes: [UInt8], _ headers: [HTTPHeader]) throws -> Void)?

    /// How often the document is fetched, 0.1 s … 365 days, with a jitter of a tenth either way; after failures less often, see
    /// ``PollSchedule``. Built in: nil, only at the start and by ``Setup/refresh()``.
    public var pollInterval: Duration?

    /// Whether documents of a version below the highest that was ever applied are refused, also where the cache was
    /// lost: an old document cannot come back, however well signed. The version is kept in the state directory.
    /// Built in: false.
    public var keepsVersionFloor = false

    /// Names a document.
    /// - Parameters:
    ///   - endpoint: The document's URL: `http`, `https` or `file`; without a scheme `https` is taken. `{user}` stands
    ///     for the user's id.
    ///   - method: How the document is asked for.
    public init(endpoint: String, method: Method = .get) {
        self.endpoint = endpoint
        self.method = method
    }
}
