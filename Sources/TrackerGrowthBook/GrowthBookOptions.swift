public import TrackerFeatures

/// The options of a ``GrowthBookProvider``.
public struct GrowthBookOptions: Sendable {
    /// The time between two requests while no stream of events is open, 0.1 s … 365 days, with a jitter of a tenth
    /// either way; longer after failures, as with ``/TrackerConfig/RemoteConfiguration/pollInterval``. 60 s by default.
    public var pollInterval: Duration = .seconds(60)

    /// The timeout of a request, including redirects, and of the start of a stream of events; 10 s by default.
    public var timeout: Duration = .seconds(10)

    /// Additional headers of the requests, such as `Authorization`; none by default.
    public var headers: [HTTPHeader] = []

    /// The path of a PEM file with certificates to trust instead of the system's; nil, the default, for the system's.
    public var certificateFile: String?

    /// Decrypts `encryptedFeatures` and `encryptedSavedGroups`: AES-128-CBC with the key of the SDK connection. It
    /// receives the text as served, `IV.CIPHERTEXT`, both in Base64, and returns the JSON; it is called on a background
    /// thread. nil, the default, makes an encrypted payload an error.
    public var decrypt: (@Sendable (_ ciphertext: String) throws -> String)?

    /// Whether changes arrive by server-sent events, from `/sub/KEY` on the server of the source, if the server offers
    /// them (`x-sse-support: enabled`) and the source has the path `/api/features/KEY`; true by default. A stream
    /// without data for 90 s is reopened. A transport without streams causes a warning, and requests continue.
    public var usesStreaming = true

    /// The path of a file that keeps the last good payload, as it was served, for the next start; nil, the default, for
    /// none. Its directory is created, and next to it a file that processes lock while they write.
    public var cacheFile: String?

    /// Whether experiments keep the variants of units, as GrowthBook's SDKs do with a sticky bucket service; false by
    /// default. An experiment with `disableStickyBucketing` never does.
    public var usesStickyBuckets = false

    /// Creates options with the default values.
    public init() {}
}
