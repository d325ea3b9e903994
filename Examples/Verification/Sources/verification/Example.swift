import Crypto
import Foundation
import TrackerConfig

/// Two ways to sign a document, and what becomes of one that was changed on its way.
@main
enum Example {
    static func main() async throws {
        let shared = SymmetricKey(size: .bits256)
        try await show("HMAC", verifyHMAC(key: shared)) { bytes in
            Data(HMAC<SHA256>.authenticationCode(for: bytes, using: shared))
        }
        let pair = Curve25519.Signing.PrivateKey()
        try await show("Ed25519", verifyEd25519(key: pair.publicKey)) { bytes in try pair.signature(for: bytes) }
    }

    private static func show(
        _ name: String, _ verification: @escaping Verification, sign: @Sendable ([UInt8]) throws -> Data
    ) async throws {
        let document = try SignedDocument(version: 1, sign: sign)
        var changed = document
        let text = String(decoding: document.bytes, as: UTF8.self)
        changed.bytes = Array(text.replacing("example", with: "attacker").utf8)
        var unsigned = document
        unsigned.signature = nil
        for (what, source) in [("as signed", document), ("changed", changed), ("without signature", unsigned)] {
            var remote = RemoteConfiguration(endpoint: "https://config.example.com/trackers.json")
            remote.verify = verification
            var options = SetupOptions()
            options.source = source
            options.cache = MemoryCache()
            options.stateDirectory = NSTemporaryDirectory() + "verification-example"
            let (outcomes, continuation) = AsyncStream.makeStream(of: ConfigurationOutcome.self)
            options.onOutcome = { continuation.yield($0) }
            let setup = try Setup(remote: remote, options: options)
            for await outcome in outcomes.prefix(1) { print("\(name), \(what): \(outcome)") }
            await setup.shutdown(timeout: .zero)
        }
    }
}
