import Configuration
import IntegrationTesting
import Testing
import TrackerFeatures
import TrackerSwiftConfiguration

@Suite("ConfigReaderProvider", .timeLimit(.minutes(10)))
struct ConfigReaderProviderTests {
    private let values = MutableInMemoryProvider(initialValues: [
        "checkout.enabled": true, "checkout.retryLimit": 5, "checkout.host": "localhost", "checkout.factor": 1.5,
        "checkout.dark": false, "checkout.countries": ConfigValue(.stringArray(["US", "IL"]), isSecret: false),
        "payment.apiKey": ConfigValue("sk-1", isSecret: true),
    ])

    private func features() -> Features {
        let entries: [ConfigReaderProvider.Entry] = [
            .enabled("checkout"), .variable("checkout", "retryLimit", .int), .variable("checkout", "host", .string),
            .variable("checkout", "factor", .double), .variable("checkout", "dark", .bool),
            .variable("checkout", "countries", .stringArray), .secret("payment", "apiKey"), .enabled("search"),
            .variable("checkout", "missing", .int),
        ]
        var options = FeatureOptions()
        let provider = ConfigReaderProvider(ConfigReader(provider: values), entries)
        options.providers = [provider]
        options.decrypt = provider.secret
        let definition = FeatureDefinition(
            name: "checkout", isEnabled: false,
            variables: [
                VariableDefinition(name: "missing", value: 3), VariableDefinition(name: "retryLimit", value: 3),
            ])
        return Features([definition], options: options)
    }

    @Test("the reader's values take precedence over the document's, and what it does not have comes from there")
    func precedence() throws {
        let features = features()
        #expect(features.isEnabled("checkout"))
        #expect(features.value("checkout", variable: "retryLimit", default: 0) == 5)
        #expect(features.value("checkout", variable: "host", default: "") == "localhost")
        #expect(features.value("checkout", variable: "factor", default: 0) == 1.5)
        #expect(features.value("checkout", variable: "dark", default: true) == false)
        #expect(features.value("checkout", variable: "countries", default: [""]) == ["US", "IL"])
        #expect(features.value("checkout", variable: "missing", default: 0) == 3)
        #expect(features.detail("search").source == .fallback)
        #expect(features.detail("checkout", variable: "retryLimit", default: 0).source == .provider("configuration"))
    }

    @Test("a secret is read, and not explained")
    func secrets() throws {
        let features = features()
        #expect(features.value("payment", variable: "apiKey", default: "") == "sk-1")
        let explanation = features.explain("payment", variable: "apiKey")
        #expect(explanation.value == nil)
        #expect(!"\(explanation)".contains("sk-1"))
    }

    @Test("a change of the reader's values is applied, that of a secret too")
    func changes() async throws {
        let features = features()
        let apiKey = Variable(features, "payment", variable: "apiKey", default: "")
        #expect(apiKey.value == "sk-1")
        values.setValue(6, forKey: "checkout.retryLimit")
        values.setValue(nil, forKey: "checkout.enabled")
        #expect(
            try await eventually {
                features.value("checkout", variable: "retryLimit", default: 0) == 6 && !features.isEnabled("checkout")
            })
        values.setValue(ConfigValue("sk-2", isSecret: true), forKey: "payment.apiKey")
        #expect(try await eventually { apiKey.value == "sk-2" })
    }
}
