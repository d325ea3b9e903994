public import Crypto
import CryptoExtras
import FoundationEssentials
public import TrackerConfig

/// The error of a ciphertext that cannot be decrypted. It contains no part of the plaintext or the key.
public struct DecryptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, as a sentence.
    public let description: String
}

/// Returns a decryptor of variables that were encrypted by ``encryptVariable(_:name:key:)``, with AES-GCM.
///
/// The name, such as `payment.apiKey`, is authenticated, so the ciphertext of one variable is rejected for another one.
///
/// ```swift
/// options.features.decrypt = decryptVariables(key: SymmetricKey(data: secret))
/// ```
/// - Parameter key: The key, of 16, 24 or 32 bytes.
/// - Returns: The decryptor; it throws ``DecryptionError`` for a ciphertext of another key or another variable.
public func decryptVariables(key: SymmetricKey) -> @Sendable (_ ciphertext: String, _ name: String) throws -> JSONValue
{
    { ciphertext, name in
        // The errors of the libraries are replaced, because they may contain a part of the plaintext.
        guard let bytes = Data(base64Encoded: ciphertext), let box = try? AES.GCM.SealedBox(combined: bytes)
        else { throw DecryptionError(description: "the ciphertext is not Base64 of a nonce, a ciphertext and a tag") }
        guard let plaintext = try? AES.GCM.open(box, using: key, authenticating: Data(name.utf8)) else {
            throw DecryptionError(description: "the ciphertext is not of this key and this variable")
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: plaintext) else {
            throw DecryptionError(description: "the plaintext is not JSON")
        }
        return value
    }
}

/// Encrypts the value of a variable for a document in which the variable has `"encrypted": true` and this text as its
/// value.
/// - Parameters:
///   - value: The value, of any JSON type but null.
///   - name: The names of the feature and the variable, such as `payment.apiKey`.
///   - key: The key, of 16, 24 or 32 bytes.
/// - Returns: The Base64 of a random nonce of 12 bytes, the ciphertext and the tag of 16 bytes.
/// - Throws: `CryptoKitError` if the key has another length, and `EncodingError` for a number that is not finite.
public func encryptVariable(_ value: JSONValue, name: String, key: SymmetricKey) throws -> String {
    let box = try AES.GCM.seal(try JSONEncoder().encode(value), using: key, authenticating: Data(name.utf8))
    // The combined form exists because the nonce has the usual length.
    return box.combined!.base64EncodedString()
}

/// Returns a decryptor of GrowthBook's encrypted payloads: AES-CBC with the key of the SDK connection.
///
/// CBC does not authenticate: fetch the payload over TLS.
///
/// ```swift
/// var options = GrowthBookOptions()
/// options.decrypt = try decryptGrowthBook(key: "Zvwv/+uhpFDznZ6SX28Yjg==")
/// ```
/// - Parameter key: The key of the SDK connection, 16, 24 or 32 bytes in Base64.
/// - Returns: The decryptor of texts of the form `IV.CIPHERTEXT`; it throws ``DecryptionError`` for others.
/// - Throws: ``DecryptionError`` if the key is not such a key.
public func decryptGrowthBook(key: String) throws -> @Sendable (_ ciphertext: String) throws -> String {
    guard let bytes = Data(base64Encoded: key), [16, 24, 32].contains(bytes.count) else {
        throw DecryptionError(description: "the key is not 16, 24 or 32 bytes in Base64")
    }
    let key = SymmetricKey(data: bytes)
    return { text in
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Data(base64Encoded: String($0)) }
        guard parts.count == 2, let vector = parts[0], vector.count == 16, let ciphertext = parts[1] else {
            throw DecryptionError(description: "the ciphertext is not IV.CIPHERTEXT, both in Base64")
        }
        // The library's error is replaced, because details of a wrong padding help an attacker to guess the plaintext.
        guard let initial = try? AES._CBC.IV(ivBytes: vector),
            let plaintext = try? AES._CBC.decrypt(ciphertext, using: key, iv: initial),
            let result = String(validating: plaintext, as: UTF8.self)
        else { throw DecryptionError(description: "the ciphertext is not of this key") }
        return result
    }
}
