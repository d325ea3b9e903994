import TrackerConfig
import TrackerCore

extension ServiceProcess {
    /// Checks what must hold between two events.
    func check() {
        // What no event has reached is as it was.
        guard isUp, isCheckDue else { return }
        isCheckDue = false
        if isDocumentCheckDue { checkDocument() }
        isDocumentCheckDue = false
        checkCounters()
        checkWaiting()
    }

    /// A document is applied whole or not at all.
    private func checkDocument() {
        let trackers = registry.trackers
        let bundles = lifecycle.active?.document?.bundles ?? []
        for bundle in bundles {
            let settings = trackers[bundle.namespace]?.effectiveSettings
            if settings?.tracker.appID != bundle.tracker?.appID {
                world.fail(
                    "\(words(lifecycle.active)) is active in process \(seat), and \(bundle.namespace) has the settings of "
                        + "\(settings?.tracker.appID ?? "no tracker")")
            }
        }
        if bundles.isEmpty, lifecycle.active != nil, trackers["shop"]?.effectiveSettings.tracker.appID != "default" {
            world.fail("the default is active in process \(seat), and shop has other settings")
        }
        for delivery in deliveries {
            let name = delivery.emitter.namespace
            if delivery.emitter.withDelivery({ $0.settings }) !== trackers[name]?.effectiveSettings {
                world.fail("\(name) of process \(seat) is sent by other settings than its tracker has")
            }
        }
    }

    /// The counters add up to what the store has.
    private func checkCounters() {
        for (index, delivery) in deliveries.enumerated() where index < store.count {
            let counters = delivery.emitter.counters
            let stored = store.amount(of: index).events + queued[index, default: []].count
            if counters.stored != stored {
                world.fail(
                    "\(delivery.emitter.namespace) of process \(seat) counts \(counters.stored) stored events, and queue and "
                        + "store have \(stored)")
            }
        }
    }

    /// Whether a delivery may wait so long: the longest that a collector can ask for, and some seconds. What is set aside is tried at
    /// least once an hour.
    func mayWait(_ milliseconds: Int64, _ index: Int) -> Bool {
        if milliseconds <= 700_000 { return true }
        let status = deliveries[index].emitter.status(at: world.clock.uptime, wallTime: world.clock.wallTime)
        return milliseconds <= 3_600_000 && status.setAside >= store.amount(of: index).events
    }

    /// Nothing waits without a timer, a load or a request.
    private func checkWaiting() {
        guard !lifecycle.isStopped else { return }
        var awaited = Set<Int>()
        var hasPoll = false
        var hasDrain = false
        var (hasCanaryTimer, hasStreamTimer) = (false, false)
        for item in world.agenda.items where item.life == life {
            switch item.task {
            case .drain: hasDrain = true
            case .deliveryTimer(let index):
                awaited.insert(index)
                let wait = item.due - world.clock.milliseconds
                if !mayWait(wait, index) { world.fail("a delivery of process \(seat) waits for \(wait) ms more") }
            case .load(let index, _): awaited.insert(index)
            case .answer(let flight): awaited.insert(flight.namespace)
            case .timer(.poll, _), .fetchAnswer: hasPoll = true
            case .timer(.canary, _): hasCanaryTimer = true
            // The longest that a server can ask for, and some seconds.
            case .timer(.stream, _): hasStreamTimer = item.due - world.clock.milliseconds < 700_000
            default: break
            }
        }
        for (index, delivery) in deliveries.enumerated() where index < store.count {
            let maySend = delivery.emitter.withDelivery(\.maySend)
            if maySend, store.amount(of: index).events > 0, !awaited.contains(index) {
                world.fail("events of \(delivery.emitter.namespace) in process \(seat) wait for nothing")
            }
        }
        if !queued.isEmpty, !hasDrain { world.fail("what process \(seat) tracked never goes to its store") }
        checkStream(hasTimer: hasStreamTimer)
        if !hasPoll { world.fail("process \(seat) will never fetch again") }
        if hasCanaryTimer != (lifecycle.canary != nil) {
            world.fail("the canary of process \(seat) and its timer do not belong together")
        }
    }
}
