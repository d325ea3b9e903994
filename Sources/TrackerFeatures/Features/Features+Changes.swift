extension Features {
    /// Returns the differences of two snapshots, of which the first time there is no old one.
    private typealias Differences<Value> =
        @Sendable (_ old: FeatureLayers?, _ new: FeatureLayers) -> [FeatureChange<Value>]

    // The number of changes that are kept for a reader that falls behind.
    private static var maxWaiting: Int { 1000 }

    /// The changes of a feature: first its values in effect, if there are any, then a change each time that they differ.
    ///
    /// The values are those without a context: values of experiments, and of rules that depend on the context, are not
    /// included. Leaving the loop or cancelling the task stops the sequence, and the setup's shutdown finishes it. If
    /// the reader falls behind, the newest 1,000 changes are kept.
    /// - Parameter feature: The feature's name; nil, the default, for all features.
    /// - Returns: The changes.
    public func changes(of feature: String? = nil) -> AsyncStream<FeatureChange<FeatureValues>> {
        stream(differences(of: feature))
    }

    /// The changes of a variable: first its value, if there is one, then a change each time that it differs. The sequence ends
    /// as ``changes(of:)`` does.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The type as which the variable is read; a value of another type counts as missing, and is logged.
    /// - Returns: The changes.
    public func changes<Value: Decodable & Sendable>(
        of feature: String, variable: String, as type: Value.Type
    ) -> AsyncStream<FeatureChange<Value>> {
        stream(differences(of: VariableKey(feature, variable)))
    }

    /// Calls a closure with the values of a feature before this returns, then each time that they differ.
    ///
    /// The closure is called on the thread that makes the change, outside all locks, one change after the other; a slow one
    /// delays others and the next update. If 100 changes wait for a slow one, further ones are delivered as one. If another change is being delivered at that moment, in a listener or on another
    /// thread, the first call comes after it, possibly after this has returned.
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

    /// Calls a closure with the value of a variable before this returns, then each time that it differs.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The type as which the variable is read; a value of another type counts as missing, and is logged.
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
            // 3 and "3" are one Int, and two values of other types are both none.
            return areSame(change.old, change.new) ? [] : [change]
        }
    }

    /// Reads layers for a listener. The service has not read the feature, so that it is not an evaluation.
    private func compare<Result>(_ layers: FeatureLayers, _ read: (borrowing Evaluator) -> Result) -> Result {
        let time = layers.usesTime ? layers.time ?? .unknown : nil
        return FeatureSnapshot(store, experiments, layers, at: time).evaluate(for: nil, records: false, read)
    }
}

/// Whether a listener would see no difference; false if the type is not `Equatable`.
private func areSame<Value>(_ old: Value?, _ new: Value?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    func isEqual<Known: Equatable>(_ known: Known) -> Bool { known == new as? Known }
    return (old as? any Equatable).map { isEqual($0) } ?? false
}
