import FoundationEssentials
import TrackerFeatures

/// The payload of a provider, and the outcomes of its fetches.
struct GrowthBookStore: Sendable {
    private struct State: Sendable {
        var document: FetchedDocument?
        var features: [FeatureDefinition] = []
        var status = GrowthBookStatus()
        /// The warnings and failures that the next load returns.
        var unreported: [ConfigurationError] = []
        /// The warnings of the payload in effect.
        var known: Set<String> = []
        /// The kinds of failure that were reported since the last success.
        var reported: Set<String> = []
        var hasReadCache = false

        mutating func use(_ payload: GrowthBookPayload, of document: FetchedDocument) {
            self.document = document
            features = payload.features
            let sentences = payload.warnings.map { "\($0.place): \($0.reason)" }
            for (warning, sentence) in zip(payload.warnings, sentences) where !known.contains(sentence) {
                report(warning)
            }
            known = Set(sentences)
        }

        mutating func report(_ warning: ConfigurationError) {
            // Bounded, because the features of a provider may never be loaded.
            if unreported.count < 200 { unreported.append(warning) }
        }
    }

    let options: GrowthBookOptions
    let cacheFile: GrowthBookCacheFile?
    let time: any TimeSource
    private let state = Locked(State())

    var status: GrowthBookStatus { state.withLock { $0.status } }

    /// The validators by which the server knows whether the payload in effect has changed.
    var validators: DocumentValidators? { state.withLock { $0.document?.validators } }

    /// Returns the features, and the warnings since the last call.
    func take() -> ProvidedFeatures {
        state.withLock { state in
            defer { state.unreported = [] }
            return ProvidedFeatures(state.features, warnings: state.unreported)
        }
    }

    /// Reads the cache file once, unless there is a payload already. Reads from disk.
    func readCache() {
        guard let cacheFile, !state.exchange(\.hasReadCache, true) else { return }
        do {
            guard let document = try cacheFile.read() else { return }
            let payload = try GrowthBookPayload(document.bytes, options: options)
            state.withLock { if $0.document == nil { $0.use(payload, of: document) } }
        } catch {
            let warning = ConfigurationError(.warning, place: "cache file", reason: "it is not used: \(error)")
            state.withLock { $0.report(warning) }
        }
    }

    /// Replaces the payload in effect, and writes it to the cache file.
    /// - Parameters:
    ///   - document: The payload, with the validators of the response.
    ///   - isEvent: Whether it comes from an event, which has no validators.
    /// - Returns: Whether the payload has changed.
    /// - Throws: A ``/TrackerConfig/FetchError`` if it cannot be read; the previous payload stays in effect.
    func replacePayload(by document: FetchedDocument, isEvent: Bool = false) async throws(FetchError) -> Bool {
        let old = state.withLock { $0.document }
        let isSame = old?.bytes == document.bytes
        if isSame {
            // If an event repeats the payload, the validators of the last response still belong to it.
            let keepsValidators = isEvent || old?.validators == document.validators
            succeed { if !keepsValidators { $0.document = document } }
            if keepsValidators { return false }
        } else {
            let payload: GrowthBookPayload
            do throws(ConfigurationError) {
                payload = try GrowthBookPayload(document.bytes, options: options)
            } catch {
                throw FetchError(
                    error.code == .undecryptable ? .decryption : .payload,
                    reason: "the payload cannot be used: \(document.fault(error))", cause: error)
            }
            succeed { $0.use(payload, of: document) }
        }
        if let failure = await cacheFile?.write(document) {
            let warning = ConfigurationError(
                .warning, place: "cache file", reason: "the payload is not kept: \(failure)")
            state.withLock { state in
                if state.reported.insert("cache file").inserted { state.report(warning) }
            }
        }
        return !isSame
    }

    /// Notes that the payload in effect is the server's.
    func confirm() { succeed { _ in } }

    private func succeed(_ edit: (inout State) -> Void) {
        let now = time.now
        state.withLock { state in
            edit(&state)
            (state.status.lastSuccess, state.status.lastFailure) = (now, nil)
            state.reported = []
        }
    }

    /// Notes a failure.
    /// - Returns: Whether to report it, as the first of its kind since the last success.
    func fail(_ error: FetchError) -> Bool {
        let kind = "\(error.code) \(error.status.map(String.init) ?? "")"
        return state.withLock { state in
            state.status.lastFailure = error
            guard state.reported.insert(kind).inserted else { return false }
            state.report(ConfigurationError(.warning, place: "", reason: "\(error); the last payload stays in effect"))
            return true
        }
    }

    /// Notes that a stream has been opened or has ended.
    func setStreaming(_ isStreaming: Bool) { state.withLock { $0.status.isStreaming = isStreaming } }
}
