/// The signals that wait for their reader: at most one of each kind, whatever comes.
struct WaitingSignals: Sendable {
    private var connected: SourceSignal?
    private var document: SourceSignal?
    private var changed: SourceSignal?
    private var disconnected: SourceSignal?

    /// Adds a signal.
    mutating func add(_ signal: SourceSignal) {
        switch signal.kind {
        case .connected: connected = signal
        case .document:
            // The one before may have been the newer one: the fetch shows.
            if document != nil { add(.changed()) }
            document = signal
        case .changed: changed = changed.map(signal.folded) ?? signal
        default: disconnected = signal
        }
    }

    /// Removes the signal that is next: a document before a change, which is perhaps the document's.
    /// - Returns: The signal; nil if none waits.
    mutating func removeFirst() -> SourceSignal? {
        for signal in [\Self.connected, \.document, \.changed, \.disconnected] {
            if let first = self[keyPath: signal] {
                self[keyPath: signal] = nil
                return first
            }
        }
        return nil
    }
}

extension SourceSignal {
    /// What this change and the one before it say together: the version that is higher, or none if either has none.
    fileprivate func folded(_ earlier: SourceSignal) -> SourceSignal {
        var folded = self
        if let version, let other = earlier.version {
            if other > version { folded = earlier }
        } else {
            folded = .changed(published: published)
            (folded.spread, folded.subscribers) = (spread, subscribers)
        }
        // A share of the instances would leave out those that the other is for.
        (folded.rolloutPercent, folded.rolloutSeed) = (nil, nil)
        folded.failure = failure ?? earlier.failure
        return folded
    }
}
