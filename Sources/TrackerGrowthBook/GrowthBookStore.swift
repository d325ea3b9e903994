import FoundationEssentials
import TrackerFeatures

/// The payload of a provider, and what became of those that came.
final class GrowthBookStore: Sendable {
    private struct State: Sendable {
        var received: GrowthBookCacheFile.Contents?
        var features: [FeatureDefinition] = []
        var status = GrowthBookStatus()
        /// What the next load returns.
        var unreported: [ConfigurationError] = []
        /// The warnings of the payload in effect.
        var known: Set<String> = []
        /// The kinds of failure that were reported since the last success.
        var reported: Set<String> = []
        var hasReadCache = false

        mutating func use(_ payload: GrowthBookPayload, _ contents: GrowthBookCacheFile.Contents) {
            received = contents
            features = payload.features
            status.payloads += 1
            let sentences = payload.warnings.map { "\($0.place): \($0.reason)" }
            for (warning, sentence) in zip(payload.warnings, sentences) where !known.contains(sentence) {
                report(warning)
            }
            known = Set(sentences)
        }

        mutating func report(_ warning: ConfigurationError) {
            // A bound for a provider whose features are never loaded.
            if unreported.count < 200 { unreported.append(warning) }
        }
    }

    private let options: GrowthBookOptions
    private let cacheFile: GrowthBookCacheFile?
    private let time: any TimeSource
    private let state = Locked(State())

    init(_ options: GrowthBookOptions, cacheFile: GrowthBookCacheFile?, time: any TimeSource) {
        (self.options, self.cacheFile, self.time) = (options, cacheFile, time)
    }

    var status: GrowthBookStatus { state.withLock { $0.status } }

    /// By what the server knows whether the payload in effect has changed.
    var validators: DocumentValidators? { state.withLock { $0.received?.validators } }

    /// By what the server knows whether a payload has changed; without any if it is not the one in effect.
    func validators(of payload: [UInt8]) -> DocumentValidators {
        let received = state.withLock { $0.received }
        return received.flatMap { $0.payload == payload ? $0.validators : nil } ?? DocumentValidators()
    }

    /// Takes the features, and the warnings that were not taken yet.
    func take() -> ProvidedFeatures {
        state.withLock { state in
            defer { state.unreported = [] }
            return ProvidedFeatures(state.features, warnings: state.unreported)
        }
    }

    /// Reads the cache file, once, unless there is a payload already. Reads the disk.
    func readCache() {
        guard let cacheFile, !state.exchange(\.hasReadCache, true) else { return }
        do {
            guard let contents = try cacheFile.read() else { return }
            let payload = try GrowthBookPayload(contents.payload, options: options)
            state.withLock { state in
                guard state.received == nil else { return }
                state.use(payload, contents)
                state.status.isFromCache = true
            }
        } catch {
            let warning = ConfigurationError(.warning, place: "cache file", reason: "it is not used: \(error)")
            state.withLock { $0.report(warning) }
        }
    }

    /// Puts a payload into effect, and writes it to the cache file.
    /// - Parameter document: The payload, with the validators of the response that had it.
    /// - Returns: Whether it is another payload.
    /// - Throws: A ``/TrackerConfig/FetchError`` if it cannot be read; the one before stays in effect.
    func adopt(_ document: FetchedDocument) async throws(FetchError) -> Bool {
        let (bytes, validators) = (document.bytes, document.validators)
        let contents = GrowthBookCacheFile.Contents(payload: bytes, validators: validators)
        let old = state.withLock { $0.received }
        let isSame = old?.payload == bytes
        if isSame {
            succeed { state in
                state.received?.validators = validators
                state.status.unchanged += 1
            }
            if old == contents { return false }
        } else {
            let payload: GrowthBookPayload
            do throws(ConfigurationError) {
                payload = try GrowthBookPayload(bytes, options: options)
            } catch {
                throw FetchError(
                    error.code == .undecryptable ? .decryption : .payload,
                    reason: "the payload cannot be used: \(document.fault(error))", cause: error)
            }
            succeed { $0.use(payload, contents) }
        }
        if let failure = await cacheFile?.write(contents) {
            let warning = ConfigurationError(
                .warning, place: "cache file", reason: "the payload is not kept: \(failure)")
            state.withLock { state in
                if state.reported.insert("cache file").inserted { state.report(warning) }
            }
        }
        return !isSame
    }

    /// Notes that the payload in effect is the server's.
    func confirm() { succeed { $0.status.unchanged += 1 } }

    private func succeed(_ edit: (inout State) -> Void) {
        let now = time.now
        state.withLock { state in
            edit(&state)
            state.status.lastSuccess = now
            state.status.lastFailure = nil
            state.status.isFromCache = false
            state.reported = []
        }
    }

    /// Counts a failure.
    /// - Returns: Whether it is to be reported, as the first of its kind since the last success.
    func fail(_ error: FetchError) -> Bool {
        let kind = "\(error.code) \(error.status.map(String.init) ?? "")"
        return state.withLock { state in
            state.status.failures[error.code, default: 0] += 1
            state.status.lastFailure = error
            guard state.reported.insert(kind).inserted else { return false }
            state.report(ConfigurationError(.warning, place: "", reason: "\(error); the last payload stays in effect"))
            return true
        }
    }

    /// Notes that a stream has been opened or has ended.
    func setStreaming(_ isStreaming: Bool) {
        state.withLock { state in
            if isStreaming { state.status.streams += 1 }
            state.status.isStreaming = isStreaming
        }
    }
}
