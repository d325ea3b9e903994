import TrackerFeatures

/// Keeps a provider's payload up to date while its task runs: by requests at an interval, and by server-sent events if
/// the server offers them.
struct GrowthBookFollower: Sendable {
    let source: GrowthBookSource
    let options: GrowthBookOptions
    let store: GrowthBookStore
    let transport: any HTTPTransport
    let time: any TimeSource
    let random: any RandomSource
    /// Called after each change of the features or the warnings of the store.
    var notify: @Sendable () -> Void = {}

    /// Follows the payload until the task is cancelled.
    func run() async {
        var polling = PollSchedule(interval: options.pollInterval)
        var reconnecting = Backoff()
        while !Task.isCancelled {
            let (error, streamURL) = await fetch()
            var wait = polling.wait(
                hasFailed: error != nil, retryAfter: error?.retryAfter, fraction: random.fraction())
            if let streamURL {
                let start = time.uptime
                await followEvents(of: streamURL)
                // A stream that ends within a request's interval is no better than requests.
                if time.uptime - start > options.pollInterval { reconnecting.reset() }
                let pause = reconnecting.next(
                    fraction: random.fraction(), retryAfter: nil, first: .seconds(1), most: options.pollInterval)
                wait = min(wait, pause)
            }
            guard await time.sleepUnlessCancelled(for: wait) else { return }
        }
    }

    /// Fetches the payload, unless it is the one in effect.
    /// - Returns: The error if it failed, otherwise the URL of the server's stream of events, if it has one.
    @discardableResult
    private func fetch() async -> (error: FetchError?, streamURL: EndpointURL?) {
        do throws(FetchError) {
            let answer = try await source.request.fetch(store.validators, over: transport, time: time)
            if let document = answer.document {
                if try await store.replacePayload(by: document) { notify() }
            } else {
                store.confirm()
            }
            return (nil, source.streamURL(for: answer.headers))
        } catch {
            fail(error)
            return (error, nil)
        }
    }

    /// Follows a stream until it ends, breaks or sends no data for too long, or until the task is cancelled.
    private func followEvents(of url: EndpointURL) async {
        let request = EventStreamRequest(
            RedirectedURL(
                url, show: GrowthBookSource.withoutKey(of: url), headers: options.headers, for: source.url.origin),
            timeout: options.timeout, longestSilence: .seconds(90),
            maxEventSize: GrowthBookSource.maxPayloadSize, certificateFile: options.certificateFile)
        // Few, because an event may be as large as a payload.
        let (arrivals, continuation) = AsyncStream.makeStream(
            of: EventStreamRequest.Arrival.self, bufferingPolicy: .bufferingNewest(4))
        async let ending = {
            defer { continuation.finish() }
            return await request.follow(over: transport, time: time) { arrival in
                if case .event(let event) = arrival, !["features", "features-updated"].contains(event.name) { return }
                continuation.yield(arrival)
            }
        }()
        for await arrival in arrivals { await handle(arrival) }
        store.setStreaming(false)
        if case .failed(let failure) = await ending { fail(FetchError(.stream, reason: "\(failure)")) }
    }

    private func handle(_ arrival: EventStreamRequest.Arrival) async {
        if case .event(let event) = arrival, event.name == "features" {
            do throws(FetchError) {
                if try await store.replacePayload(by: FetchedDocument(event.data), isEvent: true) { notify() }
            } catch {
                fail(error)
            }
        } else {
            if case .opened = arrival { store.setStreaming(true) }
            // Fetch the changes since the last request.
            await fetch()
        }
    }

    /// Reports a failure, unless it is a cancellation of the task.
    private func fail(_ error: FetchError) {
        if !Task.isCancelled, store.fail(error) { notify() }
    }
}
