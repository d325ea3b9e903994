/// The settings of a tracker's connection to the collector.
///
/// The built-in transport honours the environment's proxy variables, read for each request: `http_proxy` (in lower case
/// only), `https_proxy`, `all_proxy` and `no_proxy`; see ``CurlTransport``.
public struct NetworkConfiguration: ConfigurationSection, Sendable, Equatable {
    /// The collector's URL, `http` or `https`; `https` if the scheme is missing. At most 2,048 characters.
    public var endpoint: String?

    /// The method of the requests; built in: ``Method/post``.
    public var method: Method?

    /// The path of POST requests after the endpoint, such as `com.acme/track`; built in:
    /// `com.snowplowanalytics.snowplow/tp2`; set in code only.
    public var customPostPath: String?

    /// Additional headers of every request to the collector; set in code only, and never shown by explanations. A
    /// `User-Agent` replaces the SDK's own, `tracker-config/VERSION (swift-srv-VERSION)`. They are sent only to the
    /// servers that code names, by ``endpoint`` in the default or at run time, or by
    /// `RemoteConfiguration.allowedCollectors`; if only a document names the collector, they are left out with a
    /// warning.
    public var requestHeaders: [HTTPHeader]?

    /// Whether the bodies of POST requests are compressed by gzip; built in: false; set in code only.
    public var compression: Bool?

    /// The path of a PEM file with certificates to trust instead of the system's, for an `https` collector of a private
    /// CA; nil by default; set in code only. A file that cannot be read is an error when it is set; if it becomes
    /// unusable later, requests fail with an error that names it, and their events are retried.
    public var certificateFile: String?

    /// The timeout of a whole request, from connecting to the last byte of the response; 1 s … 10 min; built in: 30 s;
    /// set in code only. Zero and less are an error. The wait for a connection before the request has the same limit.
    public var timeout: Duration?

    /// Creates a section with all settings unset.
    public init() {}

    /// Creates a section with the settings that `configure` sets.
    /// - Parameter configure: Sets the settings of the empty section.
    public init(_ configure: (inout NetworkConfiguration) -> Void) {
        self.init()
        configure(&self)
    }

    /// Creates a section for a collector.
    /// - Parameters:
    ///   - endpoint: The collector's URL, `http` or `https`; `https` if the scheme is missing.
    ///   - method: The method of the requests; nil is unset.
    public init(endpoint: String, method: Method? = nil) {
        self.endpoint = endpoint
        self.method = method
    }

    /// The section's name.
    package static let name = "network"

    /// The section's place in a bundle.
    package static var inBundle: WritableKeyPath<ConfigurationBundle, NetworkConfiguration?> { \.network }

    /// The section's place in layers.
    package static var inLayers: WritableKeyPath<TrackerLayers, Layered<NetworkConfiguration>> { \.network }

    /// All settings of the section.
    package static let fields: [ConfigurationField<NetworkConfiguration>] = [
        ConfigurationField("endpoint", \.endpoint, shown: { .string(EndpointURL.withoutSecrets($0)) }),
        ConfigurationField("method", \.method),
        ConfigurationField(
            "customPostPath", \.customPostPath, isInDocuments: false,
            fault: { path in
                do throws(ConfigurationError) {
                    _ = try EndpointURL(collector: "https://collector/\(path)")
                    return nil
                } catch {
                    return error.reason
                }
            }),
        ConfigurationField("requestHeaders", \.requestHeaders, isInDocuments: false),
        ConfigurationField("compression", \.compression, isInDocuments: false),
        ConfigurationField(
            "certificateFile", \.certificateFile, isInDocuments: false, fault: { CertificateFile.fault(of: $0) }),
        ConfigurationField(
            "timeout", \.timeout, within: .seconds(1) ... .seconds(600), isInDocuments: false,
            fault: { $0 > .zero ? nil : "expected more than 0 s, found \($0.json) s" }),
    ]

    /// The values of settings that no layer sets; there is no built-in collector.
    package static let builtIn = NetworkConfiguration {
        $0.method = .post
        $0.customPostPath = "com.snowplowanalytics.snowplow/tp2"
        $0.requestHeaders = []
        $0.compression = false
        $0.timeout = .seconds(30)
    }
}

extension NetworkConfiguration {
    /// The method of requests: to the collector, or for the document.
    @nonexhaustive
    public enum Method: String, Sendable, Hashable, CaseIterable, DocumentWord {
        /// GET: one event per request, in its URL; for the document, a conditional request if a document is known.
        case get
        /// POST: many events per request, in its body.
        case post
    }
}
