import Crypto
import FoundationEssentials
import IntegrationTesting
import Testing
import TrackerConfig
import TrackerCrypto
import TrackerTesting

@Suite("Verification", .timeLimit(.minutes(10)))
struct VerificationTests {
    private let bytes = DocumentSource.document(1)

    /// The code of the failure; nil if the document is trusted.
    private func failure(
        _ verify: Verification, _ signature: Data?, of bytes: [UInt8], header: String = "x-signature"
    ) -> SignatureError.Code? {
        let headers = signature.map { [HTTPHeader(name: header, value: $0.base64EncodedString())] } ?? []
        do {
            try verify(bytes, headers)
            return nil
        } catch {
            return (error as? SignatureError)?.code
        }
    }

    @Test("an HMAC of a trusted key is accepted, of the same bytes only")
    func hmac() {
        let (old, new, other) = (
            SymmetricKey(size: .bits256), SymmetricKey(size: .bits256), SymmetricKey(size: .bits256)
        )
        let verify = verifyHMAC(keys: [old, new])
        for (key, expected) in [(old, nil), (new, nil), (other, SignatureError.Code.wrong)] {
            let code = Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
            #expect(failure(verify, code, of: bytes) == expected)
            #expect(failure(verify, code, of: bytes + [0x20]) == .wrong)
            #expect(failure(verify, code.dropLast(), of: bytes) == .wrong)
        }
        #expect(failure(verifyHMAC(keys: []), Data(), of: bytes) == .wrong)
    }

    @Test("the HMAC is the one of RFC 4231, test case 2")
    func knownHMAC() {
        let code = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        let signature = Data(stride(from: 0, to: 64, by: 2).map { UInt8(code.dropFirst($0).prefix(2), radix: 16)! })
        let verify = verifyHMAC(keys: [SymmetricKey(data: Data("Jefe".utf8))], header: "X-Code")
        let text = Array("what do ya want for nothing?".utf8)
        #expect(failure(verify, signature, of: text, header: "X-Code") == nil)
    }

    @Test("an Ed25519 signature of a trusted key is accepted, of the same bytes only")
    func ed25519() throws {
        let (signer, other) = (Curve25519.Signing.PrivateKey(), Curve25519.Signing.PrivateKey())
        let verify = verifyEd25519(keys: [other.publicKey, signer.publicKey])
        let signature = try signer.signature(for: bytes)
        #expect(failure(verify, signature, of: bytes) == nil)
        #expect(failure(verify, signature, of: bytes + [0x20]) == .wrong)
        #expect(failure(verifyEd25519(keys: [other.publicKey]), signature, of: bytes) == .wrong)
        #expect(failure(verify, nil, of: bytes) == .missing)
        #expect(throws: SignatureError.self) {
            try verify(bytes, [HTTPHeader(name: "X-Signature", value: "no base64")])
        }
    }

    @Test("a setup applies a signed document, and rejects one that was changed or is not signed")
    func setup() async throws {
        let signer = Curve25519.Signing.PrivateKey()
        let source = DocumentSource()
        var remote = RemoteConfiguration(endpoint: "https://config.example.com/shop.json")
        remote.verify = verifyEd25519(keys: [signer.publicKey])
        let directory = TemporaryDirectory()
        var options = SetupOptions()
        (options.source, options.cache, options.stateDirectory) = (source, MemoryCache(), directory.path)
        options.storesEvents = false
        let setup = try Setup(remote: remote, options: options)
        let signature = try signer.signature(for: bytes).base64EncodedString()
        let headers = [HTTPHeader(name: "X-Signature", value: signature)]
        source.serve(DocumentSource.document(2), headers: headers)
        #expect(await setup.refresh().kind == .rejected)
        source.serve(bytes)
        #expect(await setup.refresh().configurationError?.code == .unverified)
        source.serve(bytes, headers: headers)
        #expect(await setup.refresh().kind == .applied)
        await setup.shutdown(timeout: .zero)
    }
}
