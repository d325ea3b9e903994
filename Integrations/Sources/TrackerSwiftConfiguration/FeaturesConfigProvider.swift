public import Configuration
import Synchronization
public import TrackerConfig
public import TrackerFeatures

/// A provider of a setup's features for readers of swift-configuration.
///
/// ```swift
/// let config = ConfigReader(providers: [EnvironmentVariablesProvider(), FeaturesConfigProvider(setup)])
/// let limit = config.int(forKey: "checkout.retryLimit", default: 3)
/// let isEnabled = config.bool(forKey: "checkout", default: false)
/// ```
///
/// The first part of a key is the feature, and the other parts, joined by dots, are the variable. A feature alone is
/// the key of whether it is enabled, a `Bool`. With ``init(_:feature:bytesDecoder:)-(Features,_,_)`` and a feature,
/// keys are the names of its variables.
///
/// A key's context is the context of rules and experiments: its members are the ids of units if they are strings, and
/// attributes. Without a context, `TrackingContext.current` applies.
///
/// ```swift
/// let days = config.int(forKey: ConfigKey("shipping.days", context: ["userId": "u-1"]), default: 3)
/// ```
///
/// Encrypted variables are marked as secret, so that access reporters redact them. Values are converted like those of
/// `Features.value`; a value that cannot be read as the requested type is an error.
public struct FeaturesConfigProvider: ConfigProvider {
    /// The provider's name in diagnostics: `FeaturesConfigProvider`.
    public var providerName: String { FeaturesConfigSnapshot.providerName }

    private let features: Features
    private let refresh: @Sendable () async throws(FetchError) -> Void
    private let reading: FeaturesConfigSnapshot.Reading

    /// Creates a provider of a setup's features, whose `fetch` methods fetch the document.
    /// - Parameters:
    ///   - setup: The setup.
    ///   - feature: The feature whose variables are the keys; nil, the default, if the first part of a key is the
    ///     feature.
    ///   - bytesDecoder: Decodes bytes from strings; Base64 by default.
    public init(
        _ setup: Setup, feature: String? = nil,
        bytesDecoder: some ConfigBytesFromStringDecoder = ConfigBytesFromBase64StringDecoder()
    ) {
        features = setup.features
        reading = FeaturesConfigSnapshot.Reading(feature: feature, bytesDecoder: bytesDecoder)
        refresh = { () async throws(FetchError) in
            // If a document is rejected or held back, the one in use stays and is read.
            if let error = await setup.refresh().fetchError { throw error }
        }
    }

    /// Creates a provider of features, whose `fetch` methods load the features' own providers again.
    /// - Parameters:
    ///   - features: The features.
    ///   - feature: The feature whose variables are the keys; nil, the default, if the first part of a key is the
    ///     feature.
    ///   - bytesDecoder: Decodes bytes from strings; Base64 by default.
    public init(
        _ features: Features, feature: String? = nil,
        bytesDecoder: some ConfigBytesFromStringDecoder = ConfigBytesFromBase64StringDecoder()
    ) {
        self.features = features
        reading = FeaturesConfigSnapshot.Reading(feature: feature, bytesDecoder: bytesDecoder)
        refresh = { () async throws(FetchError) in features.reload() }
    }

    /// Reads a value of the features in effect.
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type.
    /// - Returns: The value; nil if no source has it.
    /// - Throws: `FeatureError` if the value cannot be read as the type.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try current.value(forKey: key, type: type)
    }

    /// Fetches the document, or loads the features' providers again, and then reads a value.
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type.
    /// - Returns: The value; nil if no source has it.
    /// - Throws: `FetchError` if the document cannot be fetched, and the errors of ``value(forKey:type:)``.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try await refresh()
        return try value(forKey: key, type: type)
    }

    /// Passes the value to a handler, and then each value that differs from the last one.
    ///
    /// The value is read again when a source changes. A change that affects only some contexts is noticed at the next
    /// change that affects all.
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type.
    ///   - updatesHandler: Receives the values; if it does not read them in time, only the newest is kept.
    /// - Returns: The result of the handler.
    /// - Throws: The error of the handler.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let last = LastResult()
        return try await watch(
            { snapshot in
                let result: Result<LookupResult, any Error> = Result { try snapshot.value(forKey: key, type: type) }
                return last.isRepeated(by: result) ? nil : result
            }, updatesHandler)
    }

    /// Returns the features at this moment.
    /// - Returns: The features.
    public func snapshot() -> any ConfigSnapshot { current }

    /// Passes the features to a handler, and then again each time that a source changes.
    /// - Parameter updatesHandler: Receives the features; if it does not read them in time, only the newest are kept.
    /// - Returns: The result of the handler.
    /// - Throws: The error of the handler.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        try await watch({ $0 as any ConfigSnapshot }, updatesHandler)
    }

    private var current: FeaturesConfigSnapshot { FeaturesConfigSnapshot(features.snapshot, reading) }

    /// Watches the features of all keys.
    /// - Parameters:
    ///   - read: Makes an element from the features when the reader requests one; nil if nothing has changed.
    ///   - handler: Receives the elements.
    /// - Returns: The result of the handler.
    /// - Throws: The error of the handler.
    private func watch<Element: Sendable, Return: ~Copyable>(
        _ read: @escaping @Sendable (FeaturesConfigSnapshot) -> Element?,
        _ handler: (ConfigUpdatesAsyncSequence<Element, Never>) async throws -> Return
    ) async throws -> Return {
        // One unread element is enough for several changes.
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let observation = features.onChange(of: reading.feature) { _ in continuation.yield() }
        defer { observation.cancel() }
        let elements = changes.compactMap { [features, reading] _ in
            read(FeaturesConfigSnapshot(features.snapshot, reading))
        }
        return try await handler(ConfigUpdatesAsyncSequence(elements))
    }
}

/// The last result that a reader received.
private final class LastResult: Sendable {
    private let last = Mutex<LookupResult?>(nil)

    /// Whether a result equals the last one. Errors never do, because they cannot be compared.
    func isRepeated(by result: Result<LookupResult, any Error>) -> Bool {
        let new = try? result.get()
        return last.withLock { last in
            defer { last = new }
            return new != nil && new == last
        }
    }
}
