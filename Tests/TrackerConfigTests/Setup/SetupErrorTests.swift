import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What a programmer can get wrong.
@Suite("An argument of a setup that cannot be used", .endsWhenItHangs)
struct SetupErrorTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let place: String
        let code: NamedCode<ConfigurationError>
        /// A part of the sentence; empty if it does not matter.
        let reason: String
        let bundles: [ConfigurationBundle]
        let configure: @Sendable (inout SetupOptions) -> Void
        let remote: @Sendable (inout RemoteConfiguration) -> Void

        init(
            _ description: String, at place: String, _ code: NamedCode<ConfigurationError> = .outOfRange,
            reason: String = "", default bundles: [ConfigurationBundle] = [],
            configure: @escaping @Sendable (inout SetupOptions) -> Void = { _ in },
            remote: @escaping @Sendable (inout RemoteConfiguration) -> Void = { _ in }
        ) {
            (testDescription, self.place, self.code, self.reason) = (description, place, code, reason)
            (self.bundles, self.configure, self.remote) = (bundles, configure, remote)
        }

        /// A fault of the second bundle's network.
        static func network(
            _ description: String, at field: String, _ code: NamedCode<ConfigurationError> = .outOfRange,
            _ change: (inout NetworkConfiguration) -> Void
        ) -> Fault {
            var network = NetworkConfiguration(endpoint: "https://collector.example")
            change(&network)
            return Fault(
                description, at: "default[1].network.\(field)", code,
                default: [SetupErrorTests.bundle("a"), ConfigurationBundle(namespace: "b", network: network)])
        }

        static func header(_ description: String, _ name: String, _ value: String) -> [Fault] {
            let headers = [HTTPHeader(name: name, value: value)]
            return [
                Fault("header: \(description)", at: "remote.headers", remote: { $0.headers = headers }),
                network("header of a collector: \(description)", at: "requestHeaders") { $0.requestHeaders = headers },
            ]
        }
    }

    private static func bundle(_ namespace: String) -> ConfigurationBundle {
        ConfigurationBundle(namespace: namespace, network: NetworkConfiguration(endpoint: "default.example"))
    }

    private static let options = [
        Fault("empty state directory", at: "options.stateDirectory", configure: { $0.stateDirectory = "" }),
        Fault("empty cache directory", at: "options.cacheDirectory", configure: { $0.cacheDirectory = "" }),
        Fault("empty name of the service", at: "options.serviceName", configure: { $0.serviceName = "" }),
        Fault(
            "dead letters without a file", at: "options.deadLetters",
            configure: { ($0.storesEvents, $0.deadLetters) = (false, .file()) }),
        Fault(
            "empty cache key", at: "remote.cacheKey", reason: "expected a name, found an empty string",
            remote: { $0.cacheKey = "" }),
        Fault(
            "cache key with a line break", at: "remote.cacheKey", reason: "expected a name, found a control character",
            remote: { $0.cacheKey = "a\nb" }),
        Fault(
            "neither an origin nor a domain", at: "remote.allowedCollectors[1]", .unusableURL,
            remote: { $0.allowedCollectors = ["c.example", "https://c.example/path"] }),
    ]

    private static let bundles: [Fault] = [
        Fault("no namespace", at: "default[0].namespace", default: [bundle("")]),
        Fault(
            "long namespace", at: "default[0].namespace",
            default: [bundle(String(repeating: "a", count: 129))]),
        Fault(
            "a namespace twice", at: "default[2].namespace", .duplicateNamespace,
            default: [bundle("a"), bundle("b"), ConfigurationBundle(namespace: "a")]),
        .network("missing certificate file", at: "certificateFile") { $0.certificateFile = "/nonexistent/ca.pem" },
        .network("no timeout", at: "timeout") { $0.timeout = .zero },
    ]

    private static let endpoints = ["", "ftp://x", "http://x.example/?a", "a b"].map { (endpoint: String) in
        Fault.network("endpoint '\(endpoint)'", at: "endpoint", .unusableURL) { $0.endpoint = endpoint }
    }

    private static let headers =
        Fault.header("two lines", "X", "a\r\nY: b") + Fault.header("no name", "", "a")
        + Fault.header("a colon in the name", "X: Y", "a") + Fault.header("a line break in the name", "X\n", "a")
        + Fault.header("a space in the name", "X Api Key", "a")

    static let faults = options + bundles + endpoints + headers

    private let service = Service()

    @Test("is an error with its place, and nothing begins", arguments: faults)
    func fault(_ fault: Fault) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try service.start(default: fault.bundles, configure: fault.configure, remote: fault.remote)
        }
        #expect(error.place == fault.place)
        #expect(error.code == fault.code)
        #expect(fault.reason.isEmpty || error.reason.contains(fault.reason))
        #expect(service.trace.isEmpty)
    }

    @Test("is an unusable URL", arguments: ["", "ftp://x.example", "file:relative", "http://", "a b"])
    func unusableURL(url: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try service.start(url) }
        #expect(error.code == .unusableURL)
        #expect(service.trace.isEmpty)
    }

    @Test("is no header with a colon in its value")
    func allowedHeader() async throws {
        let header = [HTTPHeader(name: "X-A", value: "b: c")]
        let network = NetworkConfiguration { $0.requestHeaders = header }
        let setup = try await service.started(
            default: [ConfigurationBundle(namespace: "a", network: network)], remote: { $0.headers = header })
        #expect(service.fetches.map { $0.headers.contains(header[0]) } == [true])
        await setup.shutdown(timeout: .zero)
    }
}
