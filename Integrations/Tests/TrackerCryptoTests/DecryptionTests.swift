import Crypto
import CryptoExtras
import FoundationEssentials
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerCore
import TrackerCrypto
import TrackerGrowthBook

@Suite("Decryption", .timeLimit(.minutes(10)))
struct DecryptionTests {
    private let key = SymmetricKey(size: .bits128)

    @Test(
        "a variable is decrypted with its key and under its name",
        arguments: [
            .string("sk-1"), .int(5), .double(2.5), .bool(true), ["a": [1, nil]],
        ] as [JSONValue])
    func variables(value: JSONValue) throws {
        let ciphertext = try encryptVariable(value, name: "payment.apiKey", key: key)
        #expect(try decryptVariables(key: key)(ciphertext, "payment.apiKey") == value)
        #expect(throws: DecryptionError.self) { try decryptVariables(key: key)(ciphertext, "payment.apiKez") }
        let other = decryptVariables(key: SymmetricKey(size: .bits128))
        #expect(throws: DecryptionError.self) { try other(ciphertext, "payment.apiKey") }
    }

    @Test("no two ciphertexts of a value are the same")
    func nonces() throws {
        let texts = try (0..<100).map { _ in try encryptVariable(1, name: "a.b", key: key) }
        #expect(Set(texts).count == 100)
    }

    @Test("what is no ciphertext is refused", arguments: ["", "AAAA", "no base64", String(repeating: "A", count: 400)])
    func malformed(text: String) {
        #expect(throws: DecryptionError.self) { try decryptVariables(key: key)(text, "payment.apiKey") }
    }

    @Test("a feature of a document is read in plain")
    func document() async throws {
        let ciphertext = try encryptVariable("sk-1", name: "payment.apiKey", key: key)
        let features = """
            "features": {"payment": {"variables": {"apiKey": {"value": "\(ciphertext)", "encrypted": true}}}}
            """
        let service = try TestService(document: features) { [key] in $0.features.decrypt = decryptVariables(key: key) }
        await service.setup.refresh()
        #expect(service.setup.features.value("payment", variable: "apiKey", default: "none") == "sk-1")
        await service.setup.shutdown(timeout: .zero)
    }

    private static let growthBookKey = "Zvwv/+uhpFDznZ6SX28Yjg=="

    private func growthBookText(_ plaintext: String) throws -> String {
        let vector = AES._CBC.IV()
        let key = SymmetricKey(data: Data(base64Encoded: Self.growthBookKey)!)
        let ciphertext = try AES._CBC.encrypt(Data(plaintext.utf8), using: key, iv: vector)
        return "\(Data(vector).base64EncodedString()).\(ciphertext.base64EncodedString())"
    }

    @Test("a ciphertext that OpenSSL made is decrypted")
    func foreignCiphertext() throws {
        // openssl enc -aes-128-cbc -K … -iv 000102030405060708090a0b0c0d0e0f
        let text = "AAECAwQFBgcICQoLDA0ODw==.jtFnhN6Iwl/eGadqq5/CinGEOTP6XBJ4rhBjcacWc7E="
        #expect(try decryptGrowthBook(key: Self.growthBookKey)(text) == #"{"a":{"defaultValue":1}}"#)
    }

    @Test("a payload is decrypted with its own key only")
    func growthBook() throws {
        let decrypt = try decryptGrowthBook(key: Self.growthBookKey)
        let text = try growthBookText(#"{"dark-mode": {"defaultValue": true}}"#)
        #expect(try decrypt(text) == #"{"dark-mode": {"defaultValue": true}}"#)
        for wrong in ["", "a.b", "\(text).x", String(text.dropFirst()), String(text.dropLast(4))] {
            #expect(throws: DecryptionError.self) { try decrypt(wrong) }
        }
        for key in ["", "short", "AAAA"] {
            #expect(throws: DecryptionError.self) { try decryptGrowthBook(key: key) }
        }
    }

    @Test("a GrowthBook provider reads an encrypted payload")
    func provider() async throws {
        let payload = try growthBookText(#"{"dark-mode": {"defaultValue": true}}"#)
        let transport = PayloadTransport(body: Array(#"{"features": {}, "encryptedFeatures": "\#(payload)"}"#.utf8))
        var options = GrowthBookOptions()
        options.decrypt = try decryptGrowthBook(key: Self.growthBookKey)
        let provider = try GrowthBookProvider(
            source: "https://cdn.example.com/api/features/sdk-1", options: options, transport: transport)
        var featureOptions = FeatureOptions()
        featureOptions.providers = [provider]
        let features = Features(options: featureOptions)
        #expect(try await eventually { features.isEnabled("dark-mode") })
    }

    private struct PayloadTransport: HTTPTransport {
        let body: [UInt8]

        func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
            HTTPTransportResponse(status: 200, body: body)
        }
    }
}
