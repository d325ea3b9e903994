import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Encrypted variables.
@Suite("Encrypted variables", .endsWhenItHangs)
struct FeatureSecretTests {
    private struct Refused: Error {}

    private let shop = FeatureService()
    private static let features = """
        {"f":{"variables":{"key":{"value":"terces","encrypted":true},"limit":{"value":"5","encrypted":true},
        "plain":{"value":1}}}}
        """
    private static let backwards: Decryptor = { variable in
        guard variable.feature == "f" else { throw Refused() }
        return .string(String(variable.ciphertext.reversed()))
    }

    @Test("without a closure, reading one is an error, and the ciphertext is never given")
    func withoutClosure() async throws {
        shop.publish(1, Self.features)
        let setup = try await shop.start()
        let error = try #require(throws: FeatureError.self) {
            try setup.features.require("f", variable: "key", as: String.self)
        }
        #expect(error.code == .encrypted)
        #expect(setup.features.value("f", variable: "key", default: "d") == "d")
        #expect(setup.features.snapshot.value("f", variable: "key", default: "d") == "d")
        #expect(setup.features.values(of: "f") == FeatureValues(isEnabled: nil, variables: ["plain": 1]))
        #expect(Variable(setup.features, "f", variable: "key", default: "d").value == "d")
        #expect(
            setup.features.explain("f", variable: "key").summary
                == "a secret (fallback)")
        #expect(!shop.service.log.contains("terces"))
        await setup.shutdown(timeout: .zero)
    }

    @Test("the closure's value is what everybody reads, by the same conversions, and an explanation does not show it")
    func decrypted() async throws {
        shop.publish(1, Self.features)
        let setup = try await shop.start { $0.features.decrypt = Self.backwards }
        #expect(setup.features.value("f", variable: "key", default: "d") == "secret")
        #expect(setup.features.value("f", variable: "limit", default: 0) == 5)
        #expect(Variable(setup.features, "f", variable: "limit", default: 0).value == 5)
        #expect(setup.features.values(of: "f")?.variables == ["key": "secret", "limit": "5", "plain": 1])
        struct Whole: Decodable { let key: String }
        #expect(try setup.features.feature("f", as: Whole.self).key == "secret")
        #expect(setup.features.explain("f", variable: "key").value == nil)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a closure that throws is an error with its sentence")
    func failing() async throws {
        shop.publish(1, Self.features)
        let setup = try await shop.start { $0.features.decrypt = { _ in throw Refused() } }
        let error = try #require(throws: FeatureError.self) {
            try setup.features.require("f", variable: "key", as: String.self)
        }
        #expect(error.code == .decryptionFailed)
        #expect("\(error)" == "f.key: it could not be decrypted: Refused()")
        await setup.shutdown(timeout: .zero)
    }

    @Test("a provider's own closure is used for its own variables")
    func ofProvider() async throws {
        let path = shop.service.directory.file("features.json")
        try Array(#"{"features":{"f":{"variables":{"own":{"value":"x","encrypted":true}}}}}"#.utf8).write(to: path)
        shop.publish(1, Self.features)
        let setup = try await shop.start { options in
            options.features.decrypt = Self.backwards
            options.features.providers = [JSONFileProvider(path: path, decrypt: { _ in "own" })]
        }
        #expect(setup.features.value("f", variable: "own", default: "d") == "own")
        #expect(setup.features.value("f", variable: "key", default: "d") == "secret")
        await setup.shutdown(timeout: .zero)
    }

    @Test("what an experiment gives in the place of an encrypted variable is encrypted too; an override is not")
    func overridden() async throws {
        let experiment = #"[{"id":"e","variants":[{"name":"only","values":{"f":{"key":"rehtona"}}}]}]"#
        shop.publish(1, Self.features, experiments: experiment)
        let setup = try await shop.start { $0.features.decrypt = Self.backwards }
        let context = FeatureContext(userID: "u")
        #expect(setup.features.value("f", variable: "key", default: "d", for: context) == "another")
        #expect(setup.features.explain("f", variable: "key", for: context).value == nil)
        try setup.features.overrides.set("tested", for: "f", variable: "key")
        #expect(setup.features.value("f", variable: "key", default: "d", for: context) == "tested")
        await setup.shutdown(timeout: .zero)
    }

    private enum Mode: String, Codable { case fast }

    private struct Refusing: Codable {
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "bad \(text)"))
        }
    }

    @Test("no error, no log line and no listener's trouble quotes what was decrypted")
    func unquoted() async throws {
        struct Whole: Decodable { let key: Mode }
        struct Careless: Decodable {
            enum Keys: CodingKey { case key }
            init(from decoder: any Decoder) throws {
                throw Unusable(text: try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .key))
            }
        }
        struct Unusable: Error { let text: String }
        struct Optimist: Decodable { let key: Int }
        shop.publish(1, Self.features)
        let setup = try await shop.start { $0.features.decrypt = Self.backwards }
        let features = setup.features
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
        #expect(!shop.service.log.contains("secret"))
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a feature whose secret cannot be read says so where the type wants it, and logs it where the type does without"
    )
    func wholeWithoutClosure() async throws {
        struct Strict: Decodable { let key: String }
        struct Lenient: Decodable { let key: String? }
        struct Other: Decodable { let plain: Bool }
        shop.publish(1, Self.features)
        let setup = try await shop.start()
        let strict = #expect(throws: FeatureError.self) { try setup.features.feature("f", as: Strict.self) }
        #expect(strict?.code == .encrypted)
        let other = #expect(throws: FeatureError.self) { try setup.features.feature("f", as: Other.self) }
        #expect(other?.description == "f.plain: expected a boolean, found an integer")
        #expect(!shop.service.log.contains("f.key"))
        #expect(try setup.features.feature("f", as: Lenient.self).key == nil)
        #expect(shop.service.log.contains("f.key: it is encrypted"))
        await setup.shutdown(timeout: .zero)
    }
}
