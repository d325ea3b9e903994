extension Features {
    // Of somebody who does not read, as many changes are kept.
    private static var mostWaiting: Int { 1000 }

    /// The changes of a feature: what is in effect first, where there is anything, then whenever it really changed.
    ///
    /// Values of experiments are not among them: those depend on whom one asks for. Ending the loop or the task stops it;
    /// of somebody who does not read, the newest 1,000 are kept.
    /// - Parameter feature: The feature's name; nil, which is built in, is all features.
    /// - Returns: The changes.
    public func changes(of feature: String? = nil) -> AsyncStream<FeatureChange> {
        stream { send in observe(feature, send) }
    }

    /// The changes of a variable: its value first, where there is one, then whenever it really changed.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The type that it is read as; a value of another type is as if there were none, and is logged.
    /// - Returns: The changes.
    public func changes<Value: Decodable & Sendable>(
        of feature: String, _ variable: String, as type: Value.Type
    ) -> AsyncStream<VariableChange<Value>> {
        stream { send in observe(VariableKey(feature, variable), send) }
    }

    /// Calls a closure with what is in effect of a feature, before this returns, then whenever it really changed.
    ///
    /// It is called on the thread that brings the change about, outside all locks, one change after the other; a slow one
    /// delays others and the next update.
    /// - Parameters:
    ///   - feature: The feature's name; nil, which is built in, is all features.
    ///   - body: What is called with each change.
    /// - Returns: What ends it; without that it lasts as long as the setup.
    @discardableResult
    public func onChange(
        of feature: String? = nil, _ body: @escaping @Sendable (FeatureChange) -> Void
    ) -> FeatureObservation {
        observe(feature, body)
    }

    /// Calls a closure with the value of a variable, before this returns, then whenever it really changed.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name.
    ///   - type: The type that it is read as; a value of another type is as if there were none, and is logged.
    ///   - body: What is called with each change, as ``onChange(of:_:)`` calls it.
    /// - Returns: What ends it; without that it lasts as long as the setup.
    @discardableResult
    public func onChange<Value: Decodable & Sendable>(
        of feature: String, _ variable: String, as type: Value.Type,
        _ body: @escaping @Sendable (VariableChange<Value>) -> Void
    ) -> FeatureObservation {
        observe(VariableKey(feature, variable), body)
    }

    private func stream<Element: Sendable>(
        _ observe: (@escaping @Sendable (Element) -> Void) -> FeatureObservation
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        let observation = observe { continuation.yield($0) }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }

    private func observe(
        _ feature: String?, _ body: @escaping @Sendable (FeatureChange) -> Void
    ) -> FeatureObservation {
        observe { [reader] old, new in
            let names = feature.map { [$0] } ?? Set((old?.names ?? []) + new.names).sorted()
            return names.compactMap { name in
                let before = old.flatMap { reader.values(of: name, in: $0, for: nil) }
                let after = reader.values(of: name, in: new, for: nil)
                return before == after ? nil : { body(FeatureChange(feature: name, old: before, new: after)) }
            }
        }
    }

    private func observe<Value: Decodable & Sendable>(
        _ key: VariableKey, _ body: @escaping @Sendable (VariableChange<Value>) -> Void
    ) -> FeatureObservation {
        observe { [reader] old, new in
            let before = old.flatMap { reader.value(key, in: $0, for: nil) }
            let after = reader.value(key, in: new, for: nil)
            guard before != after else { return [] }
            let change = VariableChange<Value>(
                old: before.flatMap { reader.converted($0, key) }, new: after.flatMap { reader.converted($0, key) })
            // Where both are of another type, nothing that the listener could see has changed.
            return change.old == nil && change.new == nil ? [] : [{ body(change) }]
        }
    }

    /// Observes snapshots.
    /// - Parameter calls: The calls that a change of snapshots is worth.
    /// - Returns: What ends it.
    private func observe(
        _ calls: @escaping @Sendable (_ old: FeatureLayers?, _ new: FeatureLayers) -> [() -> Void]
    ) -> FeatureObservation {
        let number = Locked<UInt64?>(nil)
        let observation = FeatureObservation { [weak listeners = store.listeners] in
            if let id = number.withLock({ $0 }) { listeners?.remove(id) }
        }
        let id = store.listeners.add { old, new in
            for call in calls(old, new) where observation.isActive { call() }
        }
        number.withLock { $0 = id }
        // Somebody may have cancelled it when it was called for the first time.
        if !observation.isActive { store.listeners.remove(id) }
        return observation
    }
}
