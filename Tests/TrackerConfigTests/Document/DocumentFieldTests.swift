import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// How the fields of all sections are read; the tables are made from the sections themselves.
@Suite("The fields of a document", .endsWhenItHangs)
struct DocumentFieldTests {
    /// A field with a value that it takes.
    struct Sample: Sendable, CustomTestStringConvertible {
        let section: String
        let name: String
        let value: JSONValue

        var testDescription: String { "\(section).\(name)" }
        var place: String { "configurationBundle[0].\(section)Configuration.\(name)" }

        /// A document in which the field has this JSON.
        func document(_ json: String) -> String {
            let isEndpoint = section == "network" && name == "endpoint"
            let endpoint = section == "network" && !isEndpoint ? #""endpoint":"c.example","# : ""
            return DocumentText.document(1, DocumentText.bare("a", "\"\(section)\":{\(endpoint)\"\(name)\":\(json)}"))
        }

        /// JSON of the types that the field does not take.
        var wrong: [(json: String, found: String)] {
            let list = ("[]", "a list")
            let object = (#"{"a":1}"#, "an object")
            switch value {
            case .string: return [("1", "a number"), ("1.5", "a number"), ("true", "a boolean"), list, object]
            case .bool: return [("\"true\"", "a string"), ("1", "a number"), ("0", "a number"), list, object]
            case .int:
                return [("1.0", "1.0"), ("1e3", "1000.0"), ("\"1\"", "a string"), ("true", "a boolean"), list, object]
            default: return [("\"x\"", "a string"), ("1", "a number"), ("true", "a boolean"), list]
            }
        }
    }

    static let samples: [Sample] = {
        let document = try! Document(Array(DocumentText.document(1, EveryField.bundle).utf8))
        var layers = TrackerLayers()
        layers.adopt(default: nil, remote: document.bundles[0], origin: LayerOrigin(version: 1))
        return ConfigurationBundle.sections.flatMap { section in
            section.explain(layers).compactMap { explanation in
                guard explanation.source == .remote, let value = explanation.value else { return nil }
                let name = String(explanation.field.dropFirst(section.name.count + 1))
                return Sample(section: section.name, name: name, value: value)
            }
        }
    }()

    private func read(_ text: String, _ purpose: Document.Purpose = .remote) throws -> Document {
        try Document(Array(text.utf8), purpose: purpose)
    }

    @Test("every field that documents may set is among the samples")
    func samplesAreWhole() {
        func names<Section: ConfigurationSection>(_: Section.Type) -> [String] {
            Section.fields.filter(\.isInDocuments).map { "\(Section.name).\($0.name)" }
        }
        let all =
            names(NetworkConfiguration.self) + names(TrackerConfiguration.self) + names(EventSubject.self)
            + names(SessionConfiguration.self) + names(EmitterConfiguration.self)
        #expect(all == EveryField.names)
        #expect(Self.samples.map { "\($0.section).\($0.name)" } == all)
    }

    @Test("a value of a wrong JSON type is a fault with the field's path and position", arguments: samples)
    func wrongType(sample: Sample) throws {
        for (json, found) in sample.wrong {
            let text = sample.document(json)
            let error = try #require(throws: ConfigurationError.self, "\(text)") { try read(text) }
            #expect(error.code == .wrongType)
            #expect(error.place == sample.place)
            #expect(error.reason.hasPrefix("expected ") && error.reason.hasSuffix("found \(found)"), "\(error)")
            let column = try #require(text.firstRange(of: "\"\(sample.name)\":")).upperBound
            #expect(error.position?.column == text[..<column].count + 1)
        }
    }

    @Test("null is absent", arguments: samples)
    func null(sample: Sample) throws {
        let text = sample.document("null")
        guard sample.name != "endpoint" else {
            #expect(try read(text, .default).bundles[0].network == NetworkConfiguration())
            return
        }
        let document = try read(text)
        #expect(document.warnings.isEmpty)
        var layers = TrackerLayers()
        layers.adopt(default: nil, remote: document.bundles[0], origin: LayerOrigin(version: 1))
        let section = try #require(ConfigurationBundle.sections.first { $0.name == sample.section })
        let explained = section.explain(layers).first { $0.field == "\(sample.section).\(sample.name)" }
        #expect(explained?.source == .builtIn)
    }

    @Test("an optional key that is null is absent, without a warning")
    func nullKeys() throws {
        let sections = ConfigurationBundle.sections.map { "\"\($0.name)\":null" }.joined(separator: ",")
        let names = sections.replacing("\":null", with: "Configuration\":null")
        let document = try read(
            DocumentText.document(
                1, "{\"namespace\":\"a\",\(names),\"other\":null}",
                more: #","meta":null,"features":null,"experiments":null,"other":null"#))
        #expect(document.bundles == [ConfigurationBundle(namespace: "a")])
        #expect(document.meta == JSONObject())
        #expect(document.warnings.isEmpty)
    }

    @Test("all fields make the round trip with their values", arguments: [Document.Purpose.remote, .default])
    func everyField(purpose: Document.Purpose) throws {
        let document = try read(
            DocumentText.document(1, EveryField.bundle, more: #","meta":{"a":[1,{"b":null}]}"#), purpose)
        #expect(document.warnings.isEmpty)
        #expect(document.meta == ["a": [1, ["b": nil]]])
        let bundle = document.bundles[0]
        #expect(bundle.network == NetworkConfiguration(endpoint: "http://collector.example/path", method: .get))
        let subject = EventSubject {
            ($0.userID, $0.networkUserID, $0.domainUserID, $0.userAgent) = ("u", "n", "d", "ua")
            ($0.ipAddress, $0.timeZone, $0.language) = ("10.0.0.1", "Europe/Berlin", "en")
        }
        #expect(bundle.subject == subject)
        let session = SessionConfiguration {
            ($0.foregroundTimeout, $0.backgroundTimeout) = (.seconds(60), .seconds(30))
        }
        #expect(bundle.session == session)
        let emitter = EmitterConfiguration {
            ($0.bufferOption, $0.emitRange, $0.threadPoolSize) = (.largeGroup, 7, 3)
            ($0.byteLimitGet, $0.byteLimitPost) = (2000, 3000)
            ($0.customRetryForStatusCodes, $0.retryFailedRequests) = ([403: true, 503: false], false)
            ($0.serverAnonymisation, $0.maxEventStoreAge, $0.maxEventStoreSize) = (true, .seconds(90), 12)
            ($0.maxEventStoreBytes, $0.maxRetryDelay) = (5000, .seconds(20))
        }
        #expect(bundle.emitter == emitter)
        let tracker = try #require(bundle.tracker)
        #expect(tracker.appID == "shop")
        #expect(tracker.devicePlatform == .internetOfThings)
        #expect(tracker.base64Encoding == false)
        #expect(tracker.logLevel == .trace)
        let flags = TrackerConfiguration.fields.compactMap { $0.json(tracker)?.bool }
        #expect(flags == [false] + Array(repeating: true, count: 14))
    }

    @Test("only a default bundle may lack its endpoint")
    func purpose() throws {
        let text = DocumentText.document(1, DocumentText.bare("a", #""network":{"method":"get"}"#))
        #expect(try read(text, .default).bundles[0].network?.method == .get)
        let error = try #require(throws: ConfigurationError.self) { try read(text) }
        #expect(error.code == .missingValue)
    }

    @Test(
        "the words of bufferOption, with their synonyms",
        arguments: [
            ("Single", BufferOption.single), ("SmallGroup", .smallGroup), ("DefaultGroup", .smallGroup),
            ("LargeGroup", .largeGroup), ("HeavyGroup", .largeGroup),
        ])
    func bufferOption(word: String, option: BufferOption) throws {
        let document = try read(
            DocumentText.document(1, DocumentText.bundle("a", #""emitter":{"bufferOption":"\#(word)"}"#)))
        #expect(document.bundles[0].emitter?.bufferOption == option)
        #expect(document.warnings.isEmpty)
    }

    @Test("base64encoding is read in its other spelling too")
    func base64() throws {
        let section = #""tracker":{"base64Encoding":false}"#
        let document = try read(DocumentText.document(1, DocumentText.bundle("a", section)))
        #expect(document.bundles[0].tracker?.base64Encoding == false && document.warnings.isEmpty)
    }
}
