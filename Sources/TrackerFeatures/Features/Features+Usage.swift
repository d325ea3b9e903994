import FoundationEssentials
import Synchronization

extension Features {
    /// Evaluations that wait for a hook; of more, the oldest are left out.
    private static let maxWaitingEvaluations = 1000

    /// The number and the time of each feature's evaluations in this process, sorted by name; features that were not
    /// evaluated are listed too, so that stale flags can be found. Of the features that no source has any more the last 10,000
    /// are remembered.
    public var usage: [FeatureUsage] {
        let layers = store.layers
        let usages = store.usage.update(marked: layers.takeMarked(), now: experiments.parts.time.now)
        // A handle notes its next read again.
        store.touchHandles()
        let names = Set(layers.names.map(ExactText.init)).union(usages.keys)
        return names.sorted().map { usages[$0] ?? FeatureUsage(feature: $0.text) }
    }

    /// The number of reads whose value had another type than the requested one, could not be decrypted, or was refused
    /// because the read would take too many steps or a unit's id is too long.
    public var readFailures: Int { reader.failures.total }

    /// The number of reads and overrides of features, variables, experiments and variants that no source has. The first of
    /// each name is a warning in the log. Nothing counts before a document is applied or another source has features.
    public var unknownNames: Int { reader.unknownNames.total }

    /// Calls a closure with a sample of the evaluations, off the threads that read.
    ///
    /// While there is a hook, every read is evaluated completely, which costs a plain read about 100 ns more. The
    /// closure is called in a task, one evaluation after the other; if it cannot keep up, evaluations are left out.
    /// - Parameters:
    ///   - interval: The number of evaluations of which one is delivered; 100 by default; less than 1 becomes 1.
    ///   - body: The closure.
    /// - Returns: The subscription, to be cancelled; otherwise it lasts as long as the features.
    @discardableResult
    public func onEvaluation(
        sampling interval: Int = 100, _ body: @escaping @Sendable (FeatureEvaluation) -> Void
    ) -> Subscription {
        let (evaluations, continuation) = AsyncStream.makeStream(
            of: FeatureEvaluation.self, bufferingPolicy: .bufferingNewest(Self.maxWaitingEvaluations))
        let hook = UsageRegistry.Hook(interval: interval, finish: { continuation.finish() }) { continuation.yield($0) }
        let id = store.usage.add(hook)
        store.change { _ in }
        // The change may be the first that sees a schedule begin.
        store.listeners.tell()
        let subscription = Subscription { [store] _ in
            store.usage.remove(id)
            store.change { _ in }
            store.listeners.tell()
            continuation.finish()
        }
        Task.unbound { [weak subscription] in
            for await evaluation in evaluations {
                guard subscription?.isActive ?? true else { return }
                body(evaluation)
            }
        }
        return subscription
    }
}
