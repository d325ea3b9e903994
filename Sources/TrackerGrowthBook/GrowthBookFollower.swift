import TrackerFeatures

/// Keeps a provider's payload up to date for as long as its task runs: by requests at an interval, and by server-sent events
/// if there are any.
struct GrowthBookFollower: Sendable {
    let source: GrowthBookSource
    let options: GrowthBookOptions
    let store: GrowthBookStore
    let transport: any HTTPTransport
    let time: any TimeSource
    let random: any RandomSource
    /// Called after each change of the features or the warnings of the store.
    let notify: @Sendable () -> Void

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
                await GrowthBookStream(url: streamURL, follower: self).follow(over: transport)
                // A stream that lives shorter than a request's interval is no better than requests.
                if time.uptime - start > options.pollInterval { reconnecting.reset() }
                let pause = reconnecting.next(
                    fraction: random.fraction(), retryAfter: nil, first: .seconds(1), most: options.pollInterval)
                wait = min(wait, pause)
            }
            guard await time.sleepUnlessCancelled(for: wait) else { return }
        }
    }

    /// Fetches the payload, unless it is the one in effect.
    /// - Returns: The error if it failed, else the URL of the server's stream of events, if it has one.
    @discardableResult
    func fetch() async -> (error: FetchError?, streamURL: EndpointURL?) {
        do throws(FetchError) {
            let answer = try await source.request.fetch(store.validators, over: transport, time: time)
            if let document = answer.document {
                try await adopt(document)
            } else {
                store.confirm()
            }
            return (nil, source.streamURL(for: answer.headers))
        } catch {
            fail(error)
            return (error, nil)
        }
    }

    /// Puts a payload into effect.
    func adopt(_ document: FetchedDocument) async throws(FetchError) {
        if try await store.adopt(document) { notify() }
    }

    /// Counts and reports a failure, unless it is the end of the task.
    func fail(_ error: FetchError) {
        if !Task.isCancelled, store.fail(error) { notify() }
    }
}
