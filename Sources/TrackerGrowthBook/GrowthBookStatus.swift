public import FoundationEssentials
public import TrackerFeatures

/// The status of the payloads of a ``GrowthBookProvider``.
public struct GrowthBookStatus: Sendable {
    /// The time of the last response or event that contained the payload or confirmed it; nil before the first, while a
    /// payload in effect comes from the cache file.
    public var lastSuccess: Date?

    /// The failure of the last request, payload or stream; nil if there was none since the last success. The code
    /// `payload` means that a payload cannot be read, `stream` that a stream of events failed.
    public var lastFailure: FetchError?

    /// Whether a stream of events is open.
    public var isStreaming = false

    /// Creates the status before the first response, for example for tests.
    public init() {}
}

/// The kinds of error.
extension NamedCode<FetchError> {
    /// The payload cannot be read: it is not JSON, or not in GrowthBook's format.
    public static var payload: Self { Self(rawValue: "payload") }

    /// An encrypted payload cannot be decrypted.
    public static var decryption: Self { Self(rawValue: "decryption") }
}
