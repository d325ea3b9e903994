public import Crypto
import FoundationEssentials
public import TrackerConfig

/// A check of a document before it is read, for `RemoteConfiguration.verify`; it throws ``SignatureError``.
public typealias Verification = @Sendable (_ bytes: [UInt8], _ headers: [HTTPHeader]) throws -> Void

/// Returns a check that trusts documents with an HMAC (SHA-256) of one of the shared keys.
///
/// A service that can check a document can also sign one; use ``verifyEd25519(keys:header:)`` to prevent that.
///
/// ```swift
/// var remote = RemoteConfiguration(endpoint: "https://config.example.com/shop.json")
/// remote.verify = verifyHMAC(keys: [SymmetricKey(data: secret)])
/// ```
/// - Parameters:
///   - keys: The trusted keys; two while a key is replaced. If it is empty, no document is trusted.
///   - header: The header with the code in Base64, in any case; `X-Signature` by default.
/// - Returns: The check.
public func verifyHMAC(keys: [SymmetricKey], header: String = "X-Signature") -> Verification {
    verify(header) { signature, bytes in
        // The comparison takes constant time.
        keys.contains { HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: bytes, using: $0) }
    }
}

/// Returns a check that trusts documents with an Ed25519 signature of one of the keys. Services need only the public
/// keys.
///
/// ```swift
/// let key = try Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
/// remote.verify = verifyEd25519(keys: [key])
/// ```
/// - Parameters:
///   - keys: The trusted keys; two while a key is replaced. If it is empty, no document is trusted.
///   - header: The header with the signature in Base64, in any case; `X-Signature` by default.
/// - Returns: The check.
public func verifyEd25519(keys: [Curve25519.Signing.PublicKey], header: String = "X-Signature") -> Verification {
    verify(header) { signature, bytes in keys.contains { $0.isValidSignature(signature, for: bytes) } }
}

private func verify(
    _ header: String, _ isValid: @escaping @Sendable (_ signature: Data, _ bytes: [UInt8]) -> Bool
) -> Verification {
    { bytes, headers in
        guard let text = headers.last(where: { $0.name.lowercased() == header.lowercased() })?.value else {
            throw SignatureError(code: .missing, header: header)
        }
        guard let signature = Data(base64Encoded: text) else { throw SignatureError(code: .malformed, header: header) }
        guard isValid(signature, bytes) else { throw SignatureError(code: .wrong, header: header) }
    }
}
