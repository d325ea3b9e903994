public import FoundationEssentials
public import TrackerFeatures

/// The status of the payloads of a ``GrowthBookProvider``.
public struct GrowthBookStatus: Sendable {
    /// The number of applied payloads, including that of the cache file.
    public internal(set) var payloads = 0

    /// The number of responses and events without a new payload.
    public internal(set) var unchanged = 0

    /// The numbers of failed requests, payloads and streams, by kind. The code `payload` counts payloads that cannot be
    /// read, `stream` streams of events.
    public internal(set) var failures: [NamedCode<FetchError>: Int] = [:]

    /// The last failure; nil if there was none since the last success.
    public internal(set) var lastFailure: FetchError?

    /// The time of the last response or event that contained the payload or confirmed it; nil before the first.
    public internal(set) var lastSuccess: Date?

    /// The number of streams of events that were opened.
    public internal(set) var streams = 0

    /// Whether a stream of events is open.
    public internal(set) var isStreaming = false

    /// Whether the payload in effect comes from the cache file, which no server has confirmed yet.
    public internal(set) var isFromCache = false

    /// Creates a status, for example to test what reports it.
    /// - Parameters:
    ///   - payloads: The payloads that were put into effect; 0 by default.
    ///   - unchanged: The answers and events without another payload; 0 by default.
    ///   - failures: The requests, payloads and streams that failed, by kind; none by default.
    ///   - lastFailure: The last failure; nil by default.
    ///   - lastSuccess: The time of the last answer or event that contained the payload or confirmed it; nil by default.
    ///   - streams: The streams of events that were opened; 0 by default.
    ///   - isStreaming: Whether a stream of events is open; false by default.
    ///   - isFromCache: Whether the payload in effect is that of the cache file; false by default.
    public init(
        payloads: Int = 0, unchanged: Int = 0, failures: [NamedCode<FetchError>: Int] = [:],
        lastFailure: FetchError? = nil,
        lastSuccess: Date? = nil, streams: Int = 0, isStreaming: Bool = false, isFromCache: Bool = false
    ) {
        (self.payloads, self.unchanged, self.failures) = (payloads, unchanged, failures)
        (self.lastFailure, self.lastSuccess, self.streams) = (lastFailure, lastSuccess, streams)
        (self.isStreaming, self.isFromCache) = (isStreaming, isFromCache)
    }
}

/// The kinds of error.
extension NamedCode<FetchError> {
    /// The payload cannot be read: it is not JSON, or not in GrowthBook's format.
    public static var payload: Self { Self(rawValue: "payload") }

    /// An encrypted payload cannot be decrypted.
    public static var decryption: Self { Self(rawValue: "decryption") }
}
