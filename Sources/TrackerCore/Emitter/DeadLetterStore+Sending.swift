extension EffectiveSettings {
    /// Settings that send events of any namespace.
    /// - Parameters:
    ///   - endpoint: The collector's URL.
    ///   - certificateFile: The path of a file of certificates to trust instead of the system's; nil for the system's.
    /// - Throws: A ``ConfigurationError`` if the URL or the file cannot be used.
    package convenience init(endpoint: String, certificateFile: String?) throws(ConfigurationError) {
        var network = NetworkConfiguration(endpoint: endpoint)
        network.certificateFile = certificateFile
        try network.check()
        // The namespace is within each event; the settings need one all the same.
        var layers = TrackerLayers()
        layers.adopt(
            default: ConfigurationBundle(namespace: "events", network: network), remote: nil, origin: LayerOrigin())
        try self.init(namespace: "events", layers: layers)
    }
}

extension DeadLetterStore {
    /// Sends dead letters to a collector, and removes those that it takes.
    /// - Parameters:
    ///   - filter: Which.
    ///   - settings: The settings of the collector.
    ///   - transport: The transport of the requests.
    /// - Returns: How many the collector took, and why others were not sent, a sentence each.
    package func send(
        _ filter: DeadLetter.Filter, by settings: EffectiveSettings, _ transport: any HTTPTransport
    ) async -> (count: Int, failures: [String]) {
        var (count, failures): (Int, [String]) = (0, [])
        do throws(EventStoreError) {
            try await send(filter, settings, transport, &count, &failures)
        } catch {
            failures.append("\(path): \(error.reason)")
        }
        return (count, failures)
    }

    private func send(
        _ filter: DeadLetter.Filter, _ settings: EffectiveSettings, _ transport: any HTTPTransport, _ count: inout Int,
        _ failures: inout [String]
    ) async throws(EventStoreError) {
        var last: Int64 = 0
        while true {
            let letters = try letters(filter, after: last)
            guard let next = letters.last?.id else { return }
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
                    try remove(request.events.map(\.id))
                case .split: waiting = request.halves + waiting
                case .dropped: failures.append("\(request.events.count) events stay: \(response.summary)")
                case .kept where response.status == CollectorResult.contentTooLarge:
                    // This event is too large for the collector; the others are not.
                    failures.append("1 event stays: \(response.summary)")
                case .kept:
                    // A collector that fails gets no further request in this pass.
                    failures.append("the events stay: \(response.summary)")
                    return
                }
            }
        }
    }
}
