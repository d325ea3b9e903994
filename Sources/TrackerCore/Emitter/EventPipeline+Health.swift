extension EventPipeline {
    /// How requests fared lately.
    package struct Standing: Sendable {
        /// Failed passes in a row.
        package let consecutiveFailures: Int
        /// How the last request ended, as a sentence; nil before the first.
        package let lastResponse: String?
    }

    /// How the requests of all namespaces fared, without a look at the store.
    package var standings: [String: Standing] {
        Dictionary(
            openEmitters().map { emitter in
                emitter.withDelivery { state in
                    (
                        emitter.namespace,
                        Standing(consecutiveFailures: state.consecutiveFailures, lastResponse: state.lastResponse)
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
            consecutiveFailures: delivery.consecutiveFailures, lastResponse: delivery.lastResponse,
            isPaused: delivery.isPaused,
            requests: delivery.history)
    }
}
