public import Crypto
public import FoundationEssentials
import HTTPTypes
public import Hummingbird
public import Logging
import Synchronization
public import TrackerConfig
public import TrackerCore

/// Overrides of features for single requests, in a signed header or cookie, so that only a tester gets a variant.
///
/// ```swift
/// let overrides = SignedOverrides(setup.features, keys: [SymmetricKey(data: secret)])
/// router.add(
///     middleware: TrackingMiddleware { request, context in
///         context.identity?.userID
///     } evaluation: { request, context, evaluation in
///         evaluation.overrides = overrides.overrides(of: request, logger: context.logger)
///     })
/// // For the tester, for example in a route that only staff may use:
/// let token = try overrides.token(for: ["variants": ["checkout_01": "fast"]], until: Date(timeIntervalSinceNow: 3600))
/// ```
///
/// The tester sends the token as the header or the cookie `feature-overrides`. A token that is malformed, expired, or
/// not signed with one of the keys is ignored and counted; the first of each kind is a warning in the request's log. A
/// token can be used by anyone until it expires, or until its key is removed.
public final class SignedOverrides: Sendable {
    /// The maximum length of a token in bytes. Browsers store no cookie of more than 4,096 bytes.
    public static let maxLength = 12_000

    private enum Refusal: String, Error {
        case malformed = "it is malformed"
        case wrong = "its signature is wrong"
        case expired = "it has expired"
        case unusable = "its overrides cannot be used"
    }

    private let features: Features
    private let keys: [SymmetricKey]
    private let name: String
    private let now: @Sendable () -> Date
    private let state = Mutex<(refused: Int, logged: Set<Refusal>)>((0, []))

    /// Creates a reader and issuer of tokens.
    /// - Parameters:
    ///   - features: The features to override.
    ///   - keys: The secret keys; the first one signs, and all are trusted, so that a key can be replaced. Use 32
    ///     random bytes.
    ///   - name: The name of the header and of the cookie; `feature-overrides` by default.
    ///   - now: The clock for the expiry of tokens; the system's by default.
    public init(
        _ features: Features, keys: [SymmetricKey], name: String = "feature-overrides",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.features, self.keys, self.name, self.now) = (features, keys, name, now)
    }

    /// The number of tokens that were ignored.
    public var refused: Int { state.withLock { $0.refused } }

    /// Issues a token.
    /// - Parameters:
    ///   - overrides: The overrides, as for `FeatureOverrides.forRequest`: `enabled`, `values` and `variants`.
    ///   - expiry: The time when the token expires, in full seconds.
    /// - Returns: The token, which needs no escaping in a header or a cookie.
    /// - Throws: `FeatureError` if the overrides cannot be used.
    public func token(for overrides: JSONObject, until expiry: Date) throws(FeatureError) -> String {
        let json = try features.overrides.forRequest(overrides).json
        let payload = Data("\(JSONValue.object(json))".utf8).base64URL
        let signed = "v1.\(Int64(expiry.timeIntervalSince1970)).\(payload)"
        // If there is no key, sign with a random one that no reader trusts.
        let key = keys.first ?? SymmetricKey(size: .bits256)
        return "\(signed).\(Data(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)).base64URL)"
    }

    /// Returns the overrides of a request.
    /// - Parameters:
    ///   - request: The request.
    ///   - logger: The logger for a warning about the first ignored token of each kind.
    /// - Returns: The overrides; nil if the request has no token, or an ignored one.
    public func overrides(of request: Request, logger: Logger) -> RequestOverrides? {
        guard let token = HTTPField.Name(name).flatMap({ request.headers[$0] }) ?? request.cookies[name]?.value else {
            return nil
        }
        do throws(Refusal) {
            return try overrides(in: token)
        } catch {
            let isFirst = state.withLock { state in
                state.refused += 1
                return state.logged.insert(error).inserted
            }
            if isFirst {
                logger.warning(
                    "A token of feature overrides is ignored: \(error.rawValue). Further ones are counted only.",
                    metadata: ["name": "\(name)"])
            }
            return nil
        }
    }

    private func overrides(in token: String) throws(Refusal) -> RequestOverrides {
        guard token.utf8.count <= Self.maxLength else { throw .malformed }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == "v1", let expiry = Int64(parts[1]),
            let signature = Data(base64URL: parts[3])
        else { throw .malformed }
        let signed = Data(parts[..<3].joined(separator: ".").utf8)
        // The comparison takes constant time.
        let isSigned = keys.contains {
            HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: $0)
        }
        guard isSigned else { throw .wrong }
        guard now().timeIntervalSince1970 < Double(expiry) else { throw .expired }
        // The token is signed, so the signer made the mistake: one refusal for all kinds.
        guard let payload = Data(base64URL: parts[2]),
            let json = try? JSONDecoder().decode(JSONObject.self, from: payload),
            let overrides = try? features.overrides.forRequest(json)
        else { throw .unusable }
        return overrides
    }
}

extension Data {
    /// Base64 for URLs, without padding.
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    fileprivate init?(base64URL text: String) {
        let text = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
