/// All that gives values to a key that rules or experiments decide, so that a read looks it up once.
package final class DecidedKey: Sendable {
    /// The rules and experiments, those of the highest layer first.
    let deciders: LayerValues<DeciderList>
    /// The values for all contexts.
    let plain: FeatureLayers.PlainValues
    /// The counters of the feature.
    let counters: UsageCounters?
    /// What a handle may remember.
    let handleKind: VariableHandleKind

    init(_ deciders: LayerValues<DeciderList>, _ plain: FeatureLayers.PlainValues, _ counters: UsageCounters?) {
        (self.deciders, self.plain, self.counters) = (deciders, plain, counters)
        handleKind = VariableHandleKind(deciders)
    }
}
