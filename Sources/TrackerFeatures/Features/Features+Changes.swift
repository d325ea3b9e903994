extension Features {
    /// Returns the differences between two snapshots; there is no old one the first time.
    private typealias Differences<Value> =
        @Sendable (_ old: FeatureLayers?, _ new: FeatureLayers) -> [FeatureChange<Value>]

    // The maximum number of changes that are kept for a slow reader.
    private static var maxWaiting: Int { 1000 }

    /// Returns the changes of a feature: first its values in effect, if there are any, then a change whenever they
    /// differ.
    ///
    /// The values are those without a context: values of experiments, and of rules that depend on the context, are not
    /// included. Leaving the loop or cancelling the task stops the sequence, and the setup's shutdown finishes it. If
    /// the reader falls behind, the newest 1,000 changes are kept.
    /// - Parameter feature: The feature's name; nil, the default, for all features.
    /// - Returns: The changes.
    public func changes(of feature: String? = nil) -> AsyncStream<FeatureChange<FeatureValues>> {
        stream(differences(of: feature))
    }

    /// Returns the changes of a variable: first its value, if there is one, then a change whenever it differs. The
    /// sequence ends like that of ``changes(of:)``.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The requested type; a value of another type counts as missing, and is logged.
    /// - Returns: The changes.
    public func changes<Value: Decodable & Sendable>(
        of feature: String, variable: String, as type: Value.Type
    ) -> AsyncStream<FeatureChange<Value>> {
        stream(differences(of: VariableKey(feature, variable)))
    }

    /// Calls a closure with the values of a feature before this call returns, then whenever they differ.
    ///
    /// The closure is called on the thread that makes the change, outside all locks, for one change at a time; a slow
    /// closure delays the others and the next update. If more than 100 changes wait for a slow closure, the newest ones
    /// are merged into one. If another change is being delivered at that moment, in a listener or on another thread,
    /// the first call follows it, possibly after this call has returned.
    /// - Parameters:
    ///   - feature: The feature's name; nil, the default, for all features.
    ///   - body: The closure.
    /// - Returns: The subscription, which can be cancelled; otherwise it lasts as long as the setup.
    @discardableResult
    public func onChange(
        of feature: String? = nil, _ body: @escaping @Sendable (FeatureChange<FeatureValues>) -> Void
    ) -> Subscription {
        observe(differences(of: feature), body)
    }

    /// Calls a closure with the value of a variable before this call returns, then whenever it differs.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The requested type; a value of another type counts as missing, and is logged.
    ///   - body: The closure; called as by ``onChange(of:_:)``.
    /// - Returns: The subscription, which can be cancelled; otherwise it lasts as long as the setup.
    @discardableResult
    public func onChange<Value: Decodable & Sendable>(
        of feature: String, variable: String, as type: Value.Type,
        _ body: @escaping @Sendable (FeatureChange<Value>) -> Void
    ) -> Subscription {
        observe(differences(of: VariableKey(feature, variable)), body)
    }

    private func stream<Value: Sendable>(_ differences: @escaping Differences<Value>) -> AsyncStream<
        FeatureChange<Value>
    > {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FeatureChange<Value>.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        let subscription = observe(differences, end: { continuation.finish() }) {
            continuation.yield($0)
        }
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    private func observe<Value: Sendable>(
        _ differences: @escaping Differences<Value>, end: (@Sendable () -> Void)? = nil,
        _ body: @escaping @Sendable (FeatureChange<Value>) -> Void
    ) -> Subscription {
        let subscription = Subscription { [weak listeners = store.listeners] in listeners?.remove($0) }
        store.listeners.add(subscription, end: end) { old, new in
            for change in differences(old, new) where subscription.isActive { body(change) }
        }
        return subscription
    }

    private func differences(of feature: String?) -> Differences<FeatureValues> {
        { [weak self] old, new in
            guard let self else { return [] }
            let names = feature.map { [$0] } ?? ((old?.names ?? []) + new.names).sortedUnique
            return names.compactMap { name in
                let before = old.flatMap { self.compare($0) { $0.values(of: name) } }
                let after = self.compare(new) { $0.values(of: name) }
                return before == after ? nil : FeatureChange(feature: name, old: before, new: after)
            }
        }
    }

    private func differences<Value: Decodable & Sendable>(of key: VariableKey) -> Differences<Value> {
        { [weak self] old, new in
            guard let self else { return [] }
            func value(_ layers: FeatureLayers) -> Value? {
                self.compare(layers) { $0.read(.variable(key), as: Value.self).found?.value }
            }
            let before = old.flatMap { self.compare($0) { $0.value(of: key) } }
            guard before != self.compare(new, { $0.value(of: key) }) else { return [] }
            let change = FeatureChange<Value>(feature: key.feature, old: old.flatMap(value), new: value(new))
            // 3 and "3" are the same Int, and two values of other types are both nil.
            return areSame(change.old, change.new) ? [] : [change]
        }
    }

    /// Reads layers for a listener. It does not count as an evaluation, because the service has not read the feature.
    private func compare<Result>(_ layers: FeatureLayers, _ read: (borrowing Evaluator) -> Result) -> Result {
        let time = layers.usesTime ? layers.time ?? .unknown : nil
        return FeatureSnapshot(store, experiments, layers, at: time).evaluate(for: nil, records: false, read)
    }
}

/// Whether two values are equal for a listener; false if the type is not `Equatable`.
private func areSame<Value>(_ old: Value?, _ new: Value?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    func isEqual<Known: Equatable>(_ known: Known) -> Bool { known == new as? Known }
    return (old as? any Equatable).map { isEqual($0) } ?? false
}
