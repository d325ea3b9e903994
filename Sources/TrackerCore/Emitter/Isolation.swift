/// Finds the events that fail although others are delivered, and sets them aside.
///
/// After a failed request, the next request has a single event, the oldest. If that fails alone, the newest event is
/// tried alone, as its witness. If both fail, the collector is the cause, and the rule for the response applies to all
/// events; during the retries, the oldest event and one of the others take turns. If the witness is delivered, the
/// oldest event is the cause: it is dropped if the collector refuses it once more, and otherwise it is set aside and
/// retried alone. The number of events of a request doubles with each success, beyond half of the last failed request
/// only after several.
struct Isolation: Sendable {
    /// The consequence of a failed request.
    enum Verdict {
        /// The events stay, and the next request follows at once.
        case goesOn
        /// The events stay, and delivery backs off.
        case waits
        /// The events are dropped.
        case drops(DropReason)
    }

    /// The maximum number of set-aside events; with more, delivery of the namespace backs off.
    static let maxSetAside = 10_000
    /// The time for which a collector that failed for two single events counts as failing, unless it takes an event.
    static let collectorFailureAge = Duration.seconds(1800)
    /// The delays before the turns of set-aside events: the first one, which quadruples after each failure, and the
    /// longest.
    static let retryWaits = (first: Duration.seconds(1), longest: Duration.seconds(3600))
    /// The maximum number of requests of one size that must succeed before a larger one is tried.
    private static let maxPatience = 64

    /// The maximum number of events of the next request; nil for the number in the settings.
    private(set) var limit: Int?
    /// The event that failed alone, until another one was tried.
    private(set) var suspect: (id: Int64, isRefused: Bool)?
    /// The set-aside events, in the order of their turns.
    private(set) var setAside: [Int64] = []
    /// The event that the collector refused although it takes others, until it is retried once.
    private var refused: Int64?
    /// The uptime until which failures are attributed to the collector.
    private var collectorFailureEnd = Duration.zero
    /// Half the number of events of the last failed request; nil if a larger request may be tried again.
    private var ceiling: Int?
    private var patience = 1
    private var successes = 0
    private var retryFailures = 0
    private var failedWitnesses = 0
    private var nextRetry = Duration.zero

    /// The events that other requests leave out.
    var excluded: Set<Int64> { Set(setAside + [refused, suspect?.id].compactMap(\.self)) }

    /// The event to send alone now; nil if none is due.
    func dueEvent(at uptime: Duration) -> Int64? {
        guard suspect == nil else { return nil }
        return refused ?? (uptime >= nextRetry ? setAside.first : nil)
    }

    /// Returns the choice of events for the next pass.
    /// - Parameters:
    ///   - retriedEvent: The event to send alone; nil if none is due.
    ///   - queued: The number of unsent events.
    ///   - most: The maximum number of events of a pass.
    ///   - bytes: The maximum size of a pass in bytes.
    /// - Returns: The choice.
    func choice(_ retriedEvent: Int64?, of queued: Int, most: Int, bytes: Int) -> EventStore.Choice {
        if let retriedEvent { return .single(retriedEvent) }
        guard suspect != nil else { return .oldest(EventAmount(events: min(most, limit ?? most), bytes: bytes)) }
        // The newest event, and later events all over the queue, because the collector may take only a few.
        let fraction = (Double(failedWitnesses) * 0.618).truncatingRemainder(dividingBy: 1)
        return .newest(skipping: Int(Double(queued) * fraction))
    }

    /// The time until the next retry.
    func wait(at uptime: Duration) -> Duration { max(.zero, nextRetry - uptime) }

    /// Handles a load whose events are gone.
    mutating func foundNone(_ load: DeliveryState.Load) {
        if let retriedEvent = load.retriedEvent { remove(retriedEvent) }
        if load.isWitness { suspect = nil }
    }

    private mutating func remove(_ id: Int64) {
        if refused == id { refused = nil }
        setAside.removeAll { $0 == id }
    }

    /// Handles delivered events.
    /// - Parameters:
    ///   - load: The load of the events.
    ///   - uptime: The time.
    mutating func delivered(_ load: DeliveryState.Load, at uptime: Duration) {
        (collectorFailureEnd, failedWitnesses) = (.zero, 0)
        if let retriedEvent = load.retriedEvent {
            remove(retriedEvent)
            (retryFailures, nextRetry) = (0, uptime)
            return
        }
        raiseLimit(most: load.settings.emitter.emitRange ?? 1)
        guard let suspect else { return }
        self.suspect = nil
        (ceiling, patience) = (nil, 1)
        if suspect.isRefused { refused = suspect.id } else { setAside(suspect.id, at: uptime) }
    }

    private mutating func raiseLimit(most: Int) {
        guard let limit else { return patience = 1 }
        successes += 1
        if let ceiling, limit >= ceiling {
            guard successes >= patience else { return }
            self.ceiling = nil
        }
        successes = 0
        self.limit = limit * 2 < most ? limit * 2 : nil
    }

    private mutating func setAside(_ id: Int64, at uptime: Duration) {
        guard setAside.count < Self.maxSetAside else { return }
        if setAside.isEmpty { (retryFailures, nextRetry) = (0, uptime + Self.retryWaits.first) }
        setAside.append(id)
    }

    /// Handles a failed request.
    /// - Parameters:
    ///   - events: Its events.
    ///   - load: The load of the events.
    ///   - reason: The reason of the collector's refusal; nil for any other failure.
    ///   - queued: The number of unsent events.
    ///   - uptime: The time.
    /// - Returns: The verdict.
    mutating func failed(
        _ events: [StoredEvent], _ load: DeliveryState.Load, _ reason: DropReason?, queued: Int, at uptime: Duration
    ) -> Verdict {
        let id = events[0].id
        let isCollector = uptime < collectorFailureEnd
        if let retriedEvent = load.retriedEvent {
            remove(retriedEvent)
            // If all events are too large for the collector, the refusal is no evidence about this one.
            if let reason, reason == .rejected || !isCollector { return .drops(reason) }
            setAside.append(retriedEvent)
            retryFailures += 1
            nextRetry = uptime + min(Self.retryWaits.first * (1 << min(2 * retryFailures, 12)), Self.retryWaits.longest)
            return .goesOn
        }
        if load.isWitness {
            (suspect, ceiling, patience) = (nil, nil, 1)
            failedWitnesses += 1
            collectorFailureEnd = uptime + Self.collectorFailureAge
            guard reason == .rejected else { return .waits }
            limit = nil
            return .goesOn
        }
        if isCollector, reason == .rejected { return .drops(.rejected) }
        if events.count > 1 {
            (limit, ceiling, successes) = (1, events.count / 2, 0)
            patience = min(patience * 2, Self.maxPatience)
        } else {
            let hasOthers = queued > excluded.union([id]).count
            guard hasOthers else { return reason == .rejected ? .drops(.rejected) : .waits }
            (limit, suspect) = (1, (id, reason != nil))
        }
        return reason == nil || isCollector ? .waits : .goesOn
    }
}
