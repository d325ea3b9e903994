extension DeadLetterFiles {
    /// Sends dead letters of processes that have ended to a collector, and removes those that it takes.
    /// - Parameters:
    ///   - filter: Which.
    ///   - endpoint: The collector's URL.
    ///   - certificateFile: The path of a file of certificates to trust instead of the system's; nil for the system's.
    ///   - transport: The transport of the requests.
    /// - Returns: How many the collector took, and why others were not sent, a sentence each.
    /// - Throws: A ``ConfigurationError`` if the URL or the file cannot be used.
    package func send(
        _ filter: DeadLetter.Filter, to endpoint: String, certificateFile: String? = nil,
        by transport: any HTTPTransport
    ) async throws(ConfigurationError) -> (count: Int, failures: [String]) {
        var network = NetworkConfiguration(endpoint: endpoint)
        network.certificateFile = certificateFile
        try network.check()
        // The namespace is within each event; the settings need one all the same.
        var layers = TrackerLayers()
        layers.adopt(
            default: ConfigurationBundle(namespace: "events", network: network), remote: nil, origin: LayerOrigin())
        let settings = try EffectiveSettings(namespace: "events", layers: layers)
        var (count, failures): (Int, [String]) = (0, [])
        for slot in slots(&failures) {
            let file = StateDirectory.file(slot, in: directory)
            do throws(EventStoreError) {
                guard let store = try free(slot) else {
                    if try hasLettersInUse(slot, filter) {
                        failures.append("\(file) is in use by a running process, which resends its events without --to")
                    }
                    continue
                }
                defer { store.close() }
                let sent = try await send(filter, of: store, settings, transport)
                count += sent.count
                failures += sent.failures.map { "\(file): \($0)" }
            } catch {
                failures.append("\(file): \(error.reason)")
            }
        }
        return (count, failures)
    }

    private func hasLettersInUse(_ slot: Int, _ filter: DeadLetter.Filter) throws(EventStoreError) -> Bool {
        var hasLetters = false
        try DeadLetterCopy.withCopy(of: slot, in: directory) { store throws(EventStoreError) in
            hasLetters = try !store.deadLetters(filter).isEmpty
        }
        return hasLetters
    }

    private func send(
        _ filter: DeadLetter.Filter, of store: SQLiteEventStore, _ settings: EffectiveSettings,
        _ transport: any HTTPTransport
    ) async throws(EventStoreError) -> (count: Int, failures: [String]) {
        var (count, failures): (Int, [String]) = (0, [])
        var last: Int64 = 0
        while true {
            let letters = try store.deadLetters(filter, after: last)
            guard let next = letters.last?.id else { return (count, failures) }
            last = next
            var waiting = CollectorRequest.plan(letters.map(\.event), settings: settings)
            while !waiting.isEmpty {
                let request = waiting.removeFirst()
                let now = SystemTime().wallTime
                let response = await transport.response(
                    to: request.httpRequest(settings, to: settings.endpoints[0], sentAt: now))
                let result = CollectorResult(
                    response, eventCount: request.events.count, isOversized: request.isOversized,
                    settings: settings.emitter, now: now)
                switch result {
                case .delivered:
                    count += request.events.count
                    try store.removeDeadLetters(request.events.map(\.id))
                case .split: waiting = request.halves + waiting
                case .dropped: failures.append("\(request.events.count) events stay: \(response.summary)")
                case .kept where response.status == CollectorResult.contentTooLarge:
                    // This event is too large for the collector; the others are not.
                    failures.append("1 event stays: \(response.summary)")
                case .kept:
                    // A collector that fails is not asked again and again.
                    failures.append("the events stay: \(response.summary)")
                    return (count, failures)
                }
            }
        }
    }
}
