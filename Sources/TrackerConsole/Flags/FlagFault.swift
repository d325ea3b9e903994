import TrackerConfig
import TrackerFeatures

/// The reason why a flag cannot be evaluated, in terms of the OpenFeature Remote Evaluation Protocol.
struct FlagFault: Error {
    /// The protocol's error codes for answers. No others are used, because a client may be generated from these.
    enum Code: String {
        case flagNotFound = "FLAG_NOT_FOUND"
        case general = "GENERAL"
        case invalidContext = "INVALID_CONTEXT"
        case parseError = "PARSE_ERROR"
        case targetingKeyMissing = "TARGETING_KEY_MISSING"
    }

    let code: Code
    /// The reason, as a sentence.
    let reason: String

    /// The status of the response.
    let status: Int

    init(_ code: Code, _ reason: String, status: Int = 400) {
        (self.code, self.reason, self.status) = (code, reason, code == .flagNotFound ? 404 : status)
    }

    /// Creates the error of a list, a type for which the protocol has neither values nor an error code.
    init(list key: String) {
        let reason = "is a list (TYPE_MISMATCH): a flag is a boolean, a string, a number or an object"
        self.init(.general, "\(key.excerpt) \(reason)")
    }

    /// Creates the error of a rejected read.
    init(_ fault: ReadBudget.Fault, _ key: String) {
        let code: Code =
            switch fault {
            case .tooManySteps, .nested: .general
            case .unitTooLong: .invalidContext
            }
        self.init(code, "\(key.excerpt): \(fault)")
    }

    /// The fault as JSON.
    /// - Parameter key: The key of the flag; nil if the fault concerns all flags.
    /// - Returns: The body of the response.
    func json(of key: String? = nil) -> JSONObject {
        JSONObject(
            present: [
                ("key", key.map(JSONValue.string)), ("errorCode", .string(code.rawValue)),
                ("errorDetails", .string(reason)),
            ])
    }
}
