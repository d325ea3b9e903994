/// The URL of the remote document and how to fetch it.
///
/// The built-in transport honours the environment's proxy variables, read for each request: `http_proxy` (in lower case
/// only), `https_proxy`, `all_proxy` and `no_proxy`; see ``CurlTransport``.
///
/// ```swift
/// var remote = RemoteConfiguration(endpoint: "https://config.example.com/trackers.json")
/// remote.timeout = .seconds(5)
/// ```
public struct RemoteConfiguration: Sendable {
    /// The document's URL: `http`, `https` or `file`; `https` if the scheme is missing. If its path or query contains
    /// `{user}`, each user has a separate document; see ``user``.
    public var endpoint: String

    /// The user, whose id replaces each `{user}` of the URL, percent-encoded except for letters, digits and `-._~`,
    /// also in the name of a file. nil or empty replaces it with nothing; `.` and `..` are invalid. Another user needs
    /// another ``Setup``. The files of the 1,000 most recent users are kept. Built in: nil.
    public var user: String?

    /// The name of the document in the cache and in the state directory; nil, the default, for its URL. Set it if a
    /// part of the URL changes from start to start, such as the signature of a signed URL: under another name the
    /// service starts without the state of the document, which is the cached document, its validators, reverted
    /// canaries and versions that crashed. Assignments of sticky experiments are kept in any case.
    ///
    /// ```swift
    /// var remote = RemoteConfiguration(endpoint: signedURL)  // https://bucket.example/trackers.json?X-Signature=…
    /// remote.cacheKey = "https://bucket.example/trackers.json"
    /// ```
    ///
    /// If the URL contains `{user}`, the user's id is added to the name. Setups that share a directory need different
    /// names. One line, not empty.
    public var cacheKey: String?

    /// The method of the request; built in: ``NetworkConfiguration/Method/get``.
    public var method: NetworkConfiguration.Method

    /// Additional headers of the request, such as `Authorization`; not sent if a redirect leads to another server. A
    /// `User-Agent` replaces the SDK's own, `tracker-config/VERSION (swift-srv-VERSION)`. Built in: none.
    public var headers: [HTTPHeader] = []

    /// The timeout of a whole fetch, including redirects; built in: 10 s.
    public var timeout: Duration = .seconds(10)

    /// The maximum size of the document in bytes, after decompression; built in: 1 MiB.
    public var maxDocumentSize = 1 << 20

    /// The path of a PEM file with certificates to trust instead of the system's; nil, the default, for the system's.
    /// If the file cannot be used, a fetch fails with an error that names it.
    public var certificateFile: String?

    /// The collectors that a document may name: origins such as `https://collector.example.com:8443`, without a path,
    /// and domains such as `*.example.com`, which allow all hosts below them. The scheme is `https` if it is missing,
    /// and the port is the scheme's own. A document that names another collector is rejected. The collectors of the
    /// default are allowed too; the default and settings that code changes are not checked. An empty list allows no
    /// others. The request headers set in code are sent to these collectors. nil, the default, allows every collector;
    /// then a warning names those that are unencrypted or on this machine.
    public var allowedCollectors: [String]?

    /// Checks a document before it is read, for example its signature; if it throws an error, the document is rejected.
    /// It receives the decompressed bytes of the response, and its headers (none for a file), on the thread of the
    /// updates.
    ///
    /// It also checks each cached document before use, with the headers stored with it; at the start this happens on
    /// the thread that creates the setup. A cached document that it rejects is removed with a warning; so is a document
    /// that an earlier release cached without headers, if the closure needs them. Built in: none.
    /// `Examples/Verification` has one for an HMAC and one for an Ed25519 signature.
    public var verify: (@Sendable (_ bytes: [UInt8], _ headers: [HTTPHeader]) throws -> Void)?

    /// The time between two fetches, 0.1 s … 365 days, with a jitter of a tenth either way. Built in: nil, which
    /// fetches only at the start, with ``Setup/refresh()``, and after hints of ``streamEndpoint`` or your own
    /// ``ConfigurationSource``; without an interval, a file is not watched.
    ///
    /// After a failure it waits for a random part, at least 0.1 s, of a bound that begins with twice the interval and
    /// doubles with each failure, up to 16 intervals or 10 min, whichever is less, and never below twice the interval.
    /// If the server sends `Retry-After`, that time, up to 10 min or the interval if that is longer, comes first,
    /// followed by a random part of the interval.
    public var pollInterval: Duration?

    /// The URL of a stream of server-sent events about changes of the document: `http` or `https`; `https` if the
    /// scheme is missing. The user's id replaces `{user}`. ``headers`` are sent to it only if it is on the document's
    /// server. Polling continues. A transport without streams logs a warning. Built in: nil, for none.
    public var streamEndpoint: String?

    /// The longest time without data on a stream of events, 1 s … 1 day; built in: 45 s. Then the stream is opened
    /// again. Servers should send a comment every 15 s.
    public var streamTimeout: Duration = .seconds(45)

    /// Creates the configuration of a document.
    /// - Parameters:
    ///   - endpoint: The document's URL: `http`, `https` or `file`; `https` if the scheme is missing. The user's id
    ///     replaces `{user}`.
    ///   - user: The user; nil, the default, for none.
    ///   - method: The method of the request.
    public init(endpoint: String, user: String? = nil, method: NetworkConfiguration.Method = .get) {
        (self.endpoint, self.user, self.method) = (endpoint, user, method)
    }

    /// Checks a fetched or cached document with ``verify``.
    /// - Parameters:
    ///   - bytes: The document as the server sent it, decompressed.
    ///   - headers: The headers of the response.
    /// - Throws: A ``ConfigurationError`` if the closure throws.
    func check(_ bytes: [UInt8], _ headers: [HTTPHeader]) throws(ConfigurationError) {
        do {
            try verify?(bytes, headers)
        } catch {
            throw ConfigurationError(
                .unverified, place: "", reason: "the verification failed: \(error)", cause: error)
        }
    }
}
