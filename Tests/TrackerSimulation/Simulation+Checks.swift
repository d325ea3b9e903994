import TrackerConfig
import TrackerCore

extension Simulation {
    /// The number of events in all stores is that of the outstanding ones.
    func checkAmounts() {
        var stored = Array(repeating: 0, count: DocumentServer.namespaces.count)
        for case let process? in processes where process.isUp {
            for (index, delivery) in process.deliveries.enumerated() where index < process.store.count {
                guard let place = DocumentServer.namespaces.firstIndex(of: delivery.emitter.namespace) else { continue }
                stored[place] += process.store.amount(of: index).events + process.queued[index, default: []].count
            }
        }
        for events in abandoned.values.map(\.all) {
            for id in events { if let entry = ledger[id] { stored[entry.namespace] += 1 } }
        }
        for (place, count) in stored.enumerated() where count != ledger.outstanding[place] {
            fail(
                "\(count) events of \(DocumentServer.namespaces[place]) are stored, and \(ledger.outstanding[place]) are "
                    + "outstanding")
        }
    }

    /// What a slot without a process has for a process is taken over within two minutes of its first look: another process may be
    /// taking it over just now.
    func noteLook(of process: ServiceProcess) {
        let names = process.namespaces
        for (slot, contents) in abandoned.sorted(by: { $0.key < $1.key }) {
            coverage.count(.looks)
            let first = looks[slot]?[process.life] ?? clock.milliseconds
            looks[slot, default: [:]][process.life] = first
            guard clock.milliseconds - first >= 120_000 else { continue }
            let left = contents.all.filter { id in
                ledger[id].map { $0.state == .outstanding && names.contains($0.namespace) } ?? false
            }
            guard !left.isEmpty else { continue }
            fail("events \(left.sorted().prefix(5)) wait in slot \(slot), although process \(process.seat) looks there")
        }
    }

    /// No event is filed under the name of another namespace.
    func checkNamespaces(_ contents: [String: [Int]], _ place: String) {
        for (name, ids) in contents {
            for id in ids {
                guard let entry = ledger[id], DocumentServer.namespaces[entry.namespace] != name else { continue }
                fail("event \(id) of \(DocumentServer.namespaces[entry.namespace]) is in \(place) as one of \(name)")
            }
        }
    }

    /// No event is in two places or in none.
    func audit() {
        var places: [Int: String] = [:]
        func add(_ ids: some Sequence<Int>, _ place: String) {
            for id in ids {
                if let other = places.updateValue(place, forKey: id) {
                    fail("event \(id) is in \(place) and in \(other)")
                }
                if ledger[id]?.state != .outstanding {
                    let state = ledger[id].map { "\($0.state)" } ?? "unknown"
                    fail("event \(id) is in \(place), although it is \(state)")
                }
            }
        }
        for case let process? in processes where process.isUp {
            for (isDurable, place) in [(true, "the files"), (false, "the memory")] {
                let events = process.events(isDurable: isDurable)
                add(events.values.joined(), "\(place) of process \(process.seat)")
                checkNamespaces(events, "\(place) of process \(process.seat)")
            }
            add(process.queued.values.joined(), "the queue of process \(process.seat)")
        }
        for (slot, contents) in abandoned { add(contents.all, "slot \(slot)") }
        guard places.count != ledger.outstanding.reduce(0, +) else { return }
        for (id, entry) in ledger.entries.enumerated() where entry.state == .outstanding && places[id] == nil {
            fail("event \(id) is nowhere")
        }
    }

    /// Ends all faults and waits until nothing is left to do.
    ///
    /// All events are delivered, and the last document is applied, within two hours of the clock.
    package func rest() async {
        dice.reseed(0)
        network.weather = .fine
        setDocumentWeather(.fine)
        setPush(endsWithoutPush ? .down : .fine)
        for seat in processes.indices { start(seat) }
        let last = server.publishLast(at: DocumentServer.url)
        say("\(last.words) is published at \(last.url)")
        hint(at: last)
        for case let process? in processes {
            process.setDiskFault(nil)
            for index in process.deliveries.indices { process.setPaused(index, false) }
        }
        let end = clock.milliseconds + 7_200_000
        while clock.milliseconds < end, violations.isEmpty, !isAtRest {
            await proceed()
            finishStep()
            // A kill that was to come in the middle of a change of files still comes.
            for seat in processes.indices { start(seat) }
        }
        guard violations.isEmpty else { return }
        audit()
        if isAtRest {
            for case let process? in processes {
                process.drain(isSynced: false)
                process.store.maintain()
                if let slot = process.store.slot, disk.names(of: slot).count > 1 {
                    fail("process \(process.seat) has no events, and the files \(disk.names(of: slot))")
                }
            }
            if endsWithoutPush, push.isOffered { coverage.count(.deadPushes) }
            return coverage.count(.rests)
        }
        for (place, count) in ledger.outstanding.enumerated() where count > 0 {
            let holders = processes.compactMap(\.self).map {
                process in
                "process \(process.seat): \((0..<process.store.count).map { process.store.amount(of: $0).events })"
            }
            fail(
                "\(count) events of \(DocumentServer.namespaces[place]) are not delivered two hours after the last fault; "
                    + "slots: \(abandoned.mapValues(\.all.count)), \(holders)")
        }
        for case let process? in processes where !hasLast(process) {
            fail(
                "process \(process.seat) has \(process.words(process.lifecycle.active)) two hours after the last fault")
        }
    }

    private var isAtRest: Bool {
        ledger.outstanding.allSatisfy { $0 == 0 } && processes.allSatisfy { $0.map(hasLast) ?? false }
            && !agenda.items.contains { if case .answer = $0.task { true } else { false } }
    }

    private func hasLast(_ process: ServiceProcess) -> Bool {
        let last = server.published[DocumentServer.url]?.last
        return last != nil && process.lifecycle.active?.text == last?.bytes
    }
}
