import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// Encrypted variables.
@Suite("Encrypted variables", .endsWhenItHangs)
struct FeatureSecretTests {
    private struct Refused: Error {}

    private let log = MemoryLog()
    private static let document = """
        {"f":{"variables":{"key":{"value":"terces","encrypted":true},"limit":{"value":"5","encrypted":true},
        "plain":{"value":1}}}}
        """
    private static let backwards: Decryptor = { ciphertext, name in
        guard name.hasPrefix("f.") else { throw Refused() }
        return .string(String(ciphertext.reversed()))
    }

    private func features(experiments: String = "[]", decrypt: Decryptor? = nil) throws -> Features {
        var options = FeatureOptions()
        options.decrypt = decrypt
        return try Features(Self.document, experiments: experiments, options: options, log: log)
    }

    @Test("without a closure, reading one is an error, and the ciphertext is never given")
    func withoutClosure() throws {
        let features = try features()
        let error = try #require(throws: FeatureError.self) {
            try features.require("f", variable: "key", as: String.self)
        }
        #expect(error.code == .encrypted)
        #expect(features.value("f", variable: "key", default: "d") == "d")
        #expect(features.snapshot.value("f", variable: "key", default: "d") == "d")
        #expect(features.values(of: "f") == FeatureValues(isEnabled: nil, variables: ["plain": 1]))
        #expect(Variable(features, "f", variable: "key", default: "d").value == "d")
        #expect(features.explain("f", variable: "key").summary == "a secret (fallback)")
        #expect(!log.contains("terces"))
    }

    @Test("the closure's value is what everybody reads, by the same conversions, and an explanation does not show it")
    func decrypted() throws {
        let features = try features(decrypt: Self.backwards)
        #expect(features.value("f", variable: "key", default: "d") == "secret")
        #expect(features.value("f", variable: "limit", default: 0) == 5)
        #expect(Variable(features, "f", variable: "limit", default: 0).value == 5)
        #expect(features.values(of: "f")?.variables == ["key": "secret", "limit": "5", "plain": 1])
        struct Whole: Decodable { let key: String }
        #expect(try features.feature("f", as: Whole.self).key == "secret")
        #expect(features.explain("f", variable: "key").value == nil)
    }

    @Test("a closure that throws is an error with its sentence")
    func failing() throws {
        let features = try features { _, _ in throw Refused() }
        let error = try #require(throws: FeatureError.self) {
            try features.require("f", variable: "key", as: String.self)
        }
        #expect(error.code == .decryptionFailed)
        #expect("\(error)" == "f.key: it could not be decrypted: Refused()")
    }

    @Test("the closure decrypts a provider's variables too, each by its name")
    func ofProvider() throws {
        let variables = [VariableDefinition(name: "own", value: "x", isEncrypted: true)]
        var options = FeatureOptions()
        options.decrypt = { ciphertext, name in .string("\(name) \(ciphertext)") }
        options.providers = [FeaturePriorityTests.Provider("p", [FeatureDefinition(name: "f", variables: variables)])]
        let features = try Features(Self.document, options: options)
        #expect(features.value("f", variable: "own", default: "d") == "f.own x")
        #expect(features.value("f", variable: "key", default: "d") == "f.key terces")
    }

    @Test("what an experiment gives in the place of an encrypted variable is encrypted too; an override is not")
    func overridden() throws {
        let experiment = #"[{"id":"e","variants":[{"name":"only","values":{"f":{"key":"rehtona"}}}]}]"#
        let features = try features(experiments: experiment, decrypt: Self.backwards)
        let context = FeatureContext(userID: "u")
        #expect(features.value("f", variable: "key", default: "d", for: context) == "another")
        #expect(features.explain("f", variable: "key", for: context).value == nil)
        try features.overrides.set("tested", for: "f", variable: "key")
        #expect(features.value("f", variable: "key", default: "d", for: context) == "tested")
    }

    private enum Mode: String, Codable { case fast }

    private struct Refusing: Codable {
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "bad \(text)"))
        }
    }

    @Test("no error, no log line and no listener's trouble quotes what was decrypted")
    func unquoted() throws {
        struct Whole: Decodable { let key: Mode }
        struct Careless: Decodable {
            enum Keys: CodingKey { case key }
            init(from decoder: any Decoder) throws {
                throw Unusable(text: try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .key))
            }
        }
        struct Unusable: Error { let text: String }
        struct Optimist: Decodable { let key: Int }
        let features = try features(decrypt: Self.backwards)
        var errors: [FeatureError] = []
        func note(_ read: () throws -> Void) {
            if let error = #expect(throws: FeatureError.self, performing: read) { errors.append(error) }
        }
        note { _ = try features.require("f", variable: "key", as: Mode.self) }
        note { _ = try features.require("f", variable: "key", as: Refusing.self) }
        note { _ = try features.require("f", variable: "key", as: [Mode].self) }
        note { _ = try features.require("f", variable: "key", as: Int.self) }
        note { _ = try features.feature("f", as: Whole.self) }
        note { _ = try features.feature("f", as: Careless.self) }
        note { _ = try features.feature("f", as: Optimist.self) }
        #expect(errors.count == 7)
        #expect(errors.allSatisfy { !"\($0)".contains("secret") })
        #expect("\(errors[0])" == "f.key: it was decrypted, but cannot be read as Mode")
        #expect(errors[3].code == .wrongType)
        #expect(errors[3].mismatch?.expected == "an integer")
        #expect(errors[3].mismatch?.found == "a string")
        #expect(errors[4].place == "f.key")
        _ = features.value("f", variable: "key", default: nil as Mode?)
        features.onChange(of: "f", variable: "key", as: Mode.self) { _ in }
        #expect(!log.contains("secret"))
    }

    @Test("a feature whose secret cannot be read logs it, and says so where the type wants it")
    func wholeWithoutClosure() throws {
        struct Strict: Decodable { let key: String }
        struct Lenient: Decodable { let key: String? }
        struct Other: Decodable { let plain: Bool }
        let features = try features()
        let strict = #expect(throws: FeatureError.self) { try features.feature("f", as: Strict.self) }
        #expect(strict?.code == .encrypted)
        let other = #expect(throws: FeatureError.self) { try features.feature("f", as: Other.self) }
        #expect((other?.code, other?.place) == (.wrongType, "f.plain"))
        #expect(try features.feature("f", as: Lenient.self).key == nil)
        #expect(log.contains("f.key: it is encrypted"))
    }
}
