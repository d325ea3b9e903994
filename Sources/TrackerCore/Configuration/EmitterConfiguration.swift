/// The settings of a tracker's event store and emitter.
public struct EmitterConfiguration: ConfigurationSection, Sendable, Equatable {
    /// The number of events that starts a send; built in: ``BufferOption/smallGroup``.
    public var bufferOption: BufferOption?

    /// The maximum number of events of one pass; 1 … 100,000; built in: 500.
    public var emitRange: Int?

    /// The maximum number of parallel requests; 1 … 64; built in: 1.
    public var threadPoolSize: Int?

    /// The maximum length of a GET request's URL in bytes; 1,000 … 100,000,000; built in: 40,000.
    public var byteLimitGet: Int?

    /// The maximum size of a POST request's body in bytes; 1,000 … 100,000,000; built in: 1,000,000.
    public var byteLimitPost: Int?

    /// Whether a response status, 100 … 599, is retried; takes precedence over built-in rules; built in: none.
    public var customRetryForStatusCodes: [Int: Bool]?

    /// Whether events of a failed request are kept and retried; built in: true.
    public var retryFailedRequests: Bool?

    /// Whether requests ask the collector to leave out the sender's address and cookie; built in: false.
    public var serverAnonymisation: Bool?

    /// The age at which unsent events are dropped; 1 s … 10 years; built in: 30 days.
    public var maxEventStoreAge: Duration?

    /// The maximum number of unsent events; beyond it the oldest are dropped; 1 … 100,000,000; built in: 100,000.
    public var maxEventStoreSize: Int?

    /// The maximum size of all unsent events in bytes; beyond it the oldest are dropped; 1,000 … 1,099,511,627,776 (1
    /// TiB); built in: 536,870,912 (512 MiB).
    public var maxEventStoreBytes: Int?

    /// The maximum delay of retries, unless the collector asks for a delay; 1 s … 1 day; built in: 60 s.
    public var maxRetryDelay: Duration?

    /// Creates a section with all settings unset.
    public init() {}

    /// Creates a section with the settings that `configure` sets.
    /// - Parameter configure: Sets the settings of the empty section.
    public init(_ configure: (inout EmitterConfiguration) -> Void) {
        self.init()
        configure(&self)
    }

    /// The section's name.
    package static let name = "emitter"

    /// The section's place in a bundle.
    package static var inBundle: WritableKeyPath<ConfigurationBundle, EmitterConfiguration?> { \.emitter }

    /// The section's place in layers.
    package static var inLayers: WritableKeyPath<TrackerLayers, Layered<EmitterConfiguration>> { \.emitter }

    /// All settings of the section.
    package static let fields: [ConfigurationField<EmitterConfiguration>] = [
        ConfigurationField("bufferOption", \.bufferOption),
        ConfigurationField("emitRange", \.emitRange, within: 1...100_000),
        ConfigurationField("threadPoolSize", \.threadPoolSize, within: 1...64),
        ConfigurationField("byteLimitGet", \.byteLimitGet, within: 1_000...100_000_000),
        ConfigurationField("byteLimitPost", \.byteLimitPost, within: 1_000...100_000_000),
        ConfigurationField("customRetryForStatusCodes", \.customRetryForStatusCodes),
        ConfigurationField("retryFailedRequests", \.retryFailedRequests),
        ConfigurationField("serverAnonymisation", \.serverAnonymisation),
        ConfigurationField("maxEventStoreAge", \.maxEventStoreAge, within: .seconds(1) ... .tenYears),
        ConfigurationField("maxEventStoreSize", \.maxEventStoreSize, within: 1...100_000_000),
        ConfigurationField("maxEventStoreBytes", \.maxEventStoreBytes, within: 1_000...1 << 40),
        ConfigurationField("maxRetryDelay", \.maxRetryDelay, within: .seconds(1) ... .seconds(86_400)),
    ]

    /// The values of settings that no layer sets.
    package static let builtIn = EmitterConfiguration {
        $0.bufferOption = .smallGroup
        $0.emitRange = 500
        $0.threadPoolSize = 1
        $0.byteLimitGet = 40_000
        $0.byteLimitPost = 1_000_000
        $0.customRetryForStatusCodes = [:]
        $0.retryFailedRequests = true
        $0.serverAnonymisation = false
        $0.maxEventStoreAge = .seconds(30 * 86_400)
        $0.maxEventStoreSize = 100_000
        $0.maxEventStoreBytes = 512 << 20
        $0.maxRetryDelay = .seconds(60)
    }
}

/// The number of events that starts a send.
@nonexhaustive
public enum BufferOption: String, Sendable, Hashable, CaseIterable, DocumentWord {
    /// Each event by itself.
    case single = "Single"
    /// 10 events; documents may also call it `DefaultGroup`.
    case smallGroup = "SmallGroup"
    /// 25 events; documents may also call it `HeavyGroup`.
    case largeGroup = "LargeGroup"

    package static let synonyms: [String: BufferOption] = ["DefaultGroup": .smallGroup, "HeavyGroup": .largeGroup]

    /// The number of events.
    public var size: Int {
        switch self {
        case .single: 1
        case .smallGroup: 10
        case .largeGroup: 25
        }
    }
}
