extension EventPipeline {
    /// How requests fared lately.
    package struct Standing: Sendable {
        /// Failed passes in a row.
        package let failuresInARow: Int
        /// How the last request ended, as a sentence; nil before the first.
        package let lastAnswer: String?
    }

    /// How the requests of all namespaces fared, without a look at the store.
    package var standings: [String: Standing] {
        Dictionary(
            openEmitters().map { emitter in
                emitter.withDelivery { state in
                    (
                        emitter.namespace,
                        Standing(failuresInARow: state.failuresInARow, lastAnswer: state.lastAnswer)
                    )
                }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// How a namespace is doing.
    func health(of emitter: NamespaceEmitter) -> TrackerHealth {
        drain()
        openEmitters()
        let delivery = emitter.withDelivery { $0 }
        let endpoints = delivery.settings?.endpoints ?? []
        let collector = delivery.choice.current
        return TrackerHealth(
            counters: emitter.counters, oldestEvent: storage.oldestTime(of: emitter.index),
            collector: endpoints.indices.contains(collector) ? endpoints[collector].text : nil,
            failuresInARow: delivery.failuresInARow, lastAnswer: delivery.lastAnswer, isPaused: delivery.isPaused,
            requests: delivery.history)
    }
}
