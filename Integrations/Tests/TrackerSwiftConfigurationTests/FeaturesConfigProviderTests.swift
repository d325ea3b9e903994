import Configuration
import ConfigurationTesting
import FoundationEssentials
import IntegrationTesting
import Synchronization
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerSwiftConfiguration

@Suite("FeaturesConfigProvider", .timeLimit(.minutes(10)))
struct FeaturesConfigProviderTests {
    private func features(
        _ variables: [String: JSONValue], decrypt: (@Sendable (String, String) throws -> JSONValue)? = nil
    ) -> Features {
        let definitions = variables.map { VariableDefinition(name: $0.key, value: $0.value) }
        let secret = VariableDefinition(name: "secret", value: "cipher", isEncrypted: true)
        var options = FeatureOptions()
        options.decrypt = decrypt
        return Features(
            [FeatureDefinition(name: "checkout", isEnabled: true, variables: definitions + [secret])], options: options)
    }

    /// What swift-configuration's own test expects. Its bytes are the texts "magic" and "magic2".
    private static let expected: [String: JSONValue] = [
        "string": "Hello", "other.string": "Other Hello", "int": 42, "other.int": 24, "double": 3.14,
        "other.double": 2.72, "bool": true, "other.bool": false, "bytes": .string(base64("magic")),
        "other.bytes": .string(base64("magic2")), "stringy.array": ["Hello", "World"],
        "other.stringy.array": ["Hello", "Swift"], "inty.array": [42, 24], "other.inty.array": [16, 32],
        "doubly.array": [3.14, 2.72], "other.doubly.array": [0.9, 1.8], "booly.array": [true, false],
        "other.booly.array": [false, true, true],
        "byteChunky.array": [.string(base64("magic")), .string(base64("magic2"))],
        "other.byteChunky.array": [.string(base64("magic")), .string(base64("magic2")), .string(base64("magic"))],
    ]

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test("passes swift-configuration's own test of providers")
    func compatibility() async throws {
        let features = features(Self.expected)
        try await ProviderCompatTest(provider: FeaturesConfigProvider(features, feature: "checkout")).runTest()
    }

    @Test("a key is a feature with a variable, or a feature alone for whether it is enabled")
    func keys() {
        let config = ConfigReader(provider: FeaturesConfigProvider(features(["retryLimit": 5, "a.b": "dots"])))
        #expect(config.int(forKey: "checkout.retryLimit") == 5)
        #expect(config.string(forKey: "checkout.a.b") == "dots")
        #expect(config.bool(forKey: "checkout") == true)
        #expect(config.scoped(to: "checkout").int(forKey: "retryLimit") == 5)
        #expect(config.bool(forKey: "search") == nil)
        #expect(config.int(forKey: "checkout.missing") == nil)
        #expect(config.string(forKey: "checkout") == nil)
    }

    @Test("a value of another type is an error, and the reader's default applies")
    func wrongType() throws {
        let provider = FeaturesConfigProvider(features(["retryLimit": "many", "bytes": "no base64!"]))
        #expect(throws: FeatureError.self) { try provider.value(forKey: ["checkout", "retryLimit"], type: .int) }
        #expect(throws: FeatureError.self) { try provider.value(forKey: ["checkout", "bytes"], type: .bytes) }
        #expect(ConfigReader(provider: provider).int(forKey: "checkout.retryLimit", default: 3) == 3)
        #expect(throws: FeatureError.self) {
            try ConfigReader(provider: provider).requiredInt(forKey: "checkout.retryLimit")
        }
    }

    @Test("encrypted variables are secret, overrides of them too, and others are not")
    func secrets() throws {
        let features = features(["retryLimit": 5]) { _, _ in "sk-1" }
        let provider = FeaturesConfigProvider(features)
        let limit = try provider.value(forKey: ["checkout", "retryLimit"], type: .int).value
        #expect(limit == ConfigValue(.int(5), isSecret: false))
        let secret = try provider.value(forKey: ["checkout", "secret"], type: .string).value
        #expect(secret == ConfigValue(.string("sk-1"), isSecret: true))
        #expect(!"\(try #require(secret))".contains("sk-1"))
        try features.overrides.set("sk-2", for: "checkout", variable: "secret")
        let override = try provider.value(forKey: ["checkout", "secret"], type: .string).value
        #expect(override == ConfigValue(.string("sk-2"), isSecret: true))
    }

    @Test("a key's context is the one of experiments")
    func context() throws {
        let text = """
            {
              "features": {
                "checkout": { "variables": { "retryLimit": { "value": 9 } }, "rules": [{ "id": "r", "experiment": "e" }] }
              },
              "experiments": [{ "id": "e", "variants": [
                { "name": "a", "values": { "checkout": { "retryLimit": 1 } } },
                { "name": "b", "values": { "checkout": { "retryLimit": 2 } } }] }]
            }
            """
        let features = Features(try ProvidedFeatures(json: Array(text.utf8)).features)
        let config = ConfigReader(provider: FeaturesConfigProvider(features))
        #expect(config.int(forKey: "checkout.retryLimit") == 9)
        let limits = (0..<50).map { user in
            let key = ConfigKey("checkout.retryLimit", context: ["userId": .string("u-\(user)")])
            let limit = config.int(forKey: key)
            #expect(
                limit
                    == features.value(
                        "checkout", variable: "retryLimit", default: 0, for: FeatureContext(userID: "u-\(user)")))
            return limit
        }
        #expect(Set(limits) == [1, 2])
    }

    @Test("a watched value comes first, then each time that it changes")
    func watchValue() async throws {
        let features = features(["retryLimit": 5])
        let config = ConfigReader(provider: FeaturesConfigProvider(features))
        try await config.watchInt(forKey: "checkout.retryLimit", default: 0) { updates in
            var iterator = updates.makeAsyncIterator()
            #expect(try await iterator.next() == 5)
            try features.overrides.set(6, for: "checkout", variable: "retryLimit")
            #expect(try await iterator.next() == 6)
            try features.overrides.set("other", for: "checkout", variable: "another")
            try features.overrides.set(7, for: "checkout", variable: "retryLimit")
            #expect(try await iterator.next() == 7)
            try features.overrides.removeAll()
            #expect(try await iterator.next() == 5)
        }
    }

    @Test("a watched snapshot stays as it was, and a new one comes with a change")
    func watchSnapshot() async throws {
        let features = features(["retryLimit": 5])
        let config = ConfigReader(provider: FeaturesConfigProvider(features))
        try await config.watchSnapshot { updates in
            var iterator = updates.makeAsyncIterator()
            let first = try await iterator.next()
            // The registration of the observation may be an update of its own.
            try features.overrides.set(6, for: "checkout", variable: "retryLimit")
            var latest = try await iterator.next()
            if latest?.int(forKey: "checkout.retryLimit") == 5 { latest = try await iterator.next() }
            #expect(latest?.int(forKey: "checkout.retryLimit") == 6)
            #expect(first?.int(forKey: "checkout.retryLimit") == 5)
        }
    }

    @Test("fetch fetches the document, and throws if that fails")
    func fetch() async throws {
        let service = try TestService()
        let config = ConfigReader(provider: FeaturesConfigProvider(service.setup))
        await #expect(throws: FetchError.self) { try await config.fetchInt(forKey: "checkout.retryLimit") }
        service.source.serve(1, #""features": {"checkout": {"variables": {"retryLimit": {"value": 8}}}}"#)
        #expect(config.int(forKey: "checkout.retryLimit") == nil)
        #expect(try await config.fetchInt(forKey: "checkout.retryLimit") == 8)
        #expect(config.int(forKey: "checkout.retryLimit") == 8)
        await service.setup.shutdown(timeout: .zero)
    }

    @Test("access reporters see no secret")
    func reporter() {
        let reporter = Reporter()
        let provider = FeaturesConfigProvider(features([:]) { _, _ in "sk-1" })
        let config = ConfigReader(provider: provider, accessReporter: reporter)
        #expect(config.string(forKey: "checkout.secret") == "sk-1")
        #expect(reporter.lines.withLock { $0 }.count == 1)
        #expect(reporter.lines.withLock { lines in lines.allSatisfy { !$0.contains("sk-1") } })
    }

    private final class Reporter: AccessReporter {
        let lines = Mutex<[String]>([])

        func report(_ event: AccessEvent) {
            lines.withLock { $0.append("\(event)") }
        }
    }
}
