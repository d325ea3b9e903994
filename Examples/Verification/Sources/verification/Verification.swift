import Crypto
import Foundation
import TrackerConfig

/// What `RemoteConfiguration.verify` takes.
typealias Verification = @Sendable (_ bytes: [UInt8], _ headers: [HTTPHeader]) throws -> Void

/// Trusts documents with an HMAC of a shared key, with which documents can be both checked and signed.
func verifyHMAC(key: SymmetricKey, header: String = "X-Signature") -> Verification {
    { bytes, headers in
        let code = try signature(in: headers, header)
        // Compares in constant time.
        guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: bytes, using: key) else {
            throw SignatureError.wrong
        }
    }
}

/// Trusts documents with an Ed25519 signature: services have the public key only.
func verifyEd25519(key: Curve25519.Signing.PublicKey, header: String = "X-Signature") -> Verification {
    { bytes, headers in
        let signature = try signature(in: headers, header)
        guard key.isValidSignature(signature, for: bytes) else { throw SignatureError.wrong }
    }
}

private func signature(in headers: [HTTPHeader], _ name: String) throws -> Data {
    let value = headers.last { $0.name.lowercased() == name.lowercased() }?.value
    guard let signature = value.flatMap({ Data(base64Encoded: $0) }) else { throw SignatureError.missing(header: name) }
    return signature
}
