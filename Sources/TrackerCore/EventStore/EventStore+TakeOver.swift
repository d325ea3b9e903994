/// Events of a namespace that wait for a process with that namespace.
package struct UnclaimedEvents: Sendable, Equatable {
    package var count: Int
    /// The time at which the oldest event was tracked, in milliseconds since 1970.
    package var oldest: Int64

    package init(count: Int = 0, oldest: Int64 = .max) {
        (self.count, self.oldest) = (count, oldest)
    }

    static func + (left: UnclaimedEvents, right: UnclaimedEvents) -> UnclaimedEvents {
        UnclaimedEvents(count: left.count + right.count, oldest: min(left.oldest, right.oldest))
    }
}

extension EventStore {
    /// The knowledge about slots of dead processes.
    struct TakeOverState {
        /// The free slots that were searched.
        var knownSlots: [Int: KnownSlot] = [:]
        /// The failures to take over files; each reason is logged once.
        var failures: Set<String> = []
        /// The uptime since which unclaimed events wait, by namespace; far in the future after it was logged.
        var unclaimedSince: [ExactText: Duration] = [:]
    }

    /// A free slot after a search, and its remaining events by namespace.
    struct KnownSlot {
        /// The state of its files at that time.
        let stamps: [String: FileStamp]
        var namespaces: [ExactText: UnclaimedEvents] = [:]
    }

    /// The time for which events of a namespace without a tracker wait before a log line.
    private static let unclaimedInterval = Duration.seconds(30)

    /// Takes over events that dead processes of the service left.
    /// - Parameters:
    ///   - own: The namespaces with a tracker in this process; events of other namespaces stay where they are.
    ///   - pause: Called after each file, so that taking over does not delay this process's events.
    /// - Returns: The events of other namespaces; nil if there is no slot, or if the search failed.
    package func takeOver(of own: Set<ExactText>, pause: () async -> Void) async -> [ExactText: UnclaimedEvents]? {
        guard let directory = eventLog.directory, eventLog.slot != nil, !isClosing else { return nil }
        defer { maintainDeadLetters(of: own) }
        var (left, known, failures): ([ExactText: UnclaimedEvents], [Int: KnownSlot], Set<String>) = ([:], [:], [])
        do throws(EventStoreError) {
            for (number, entries) in try directory.contents().slots.sorted(by: { $0.key < $1.key }) {
                guard number != eventLog.slot?.number, !entries.files.isEmpty || !entries.temporary.isEmpty else {
                    continue
                }
                // A slot that has not changed since the last search still has nothing for this process.
                var seen = takeOver.knownSlots[number]
                if seen?.stamps != directory.stamps(of: number, entries)
                    || seen.map({ own.isDisjoint(with: $0.namespaces.keys) }) != true
                {
                    seen = try await takeOver(number, directory, own, pause, &failures)
                }
                known[number] = seen
                if let seen { left.merge(seen.namespaces, uniquingKeysWith: +) }
            }
        } catch {
            failures.insert("what other processes left cannot be looked for: \(error.reason)")
        }
        for failure in failures.subtracting(takeOver.failures).sorted() { log.error(failure) }
        (takeOver.knownSlots, takeOver.failures) = (known, failures)
        logUnclaimed(left, in: directory)
        return left
    }

    /// Takes over the events in a free slot that belong to this process.
    /// - Returns: The remaining events; nil if the slot is not free, or if the search was cut short.
    private func takeOver(
        _ number: Int, _ directory: StateDirectory, _ own: Set<ExactText>, _ pause: () async -> Void,
        _ failures: inout Set<String>
    ) async throws(EventStoreError) -> KnownSlot? {
        guard let slot = try directory.slot(number) else { return nil }
        // The namespace may have been removed meanwhile.
        let isOwn = { (name: ExactText) in
            own.contains(name) && self.partitions.contains { $0.namespace.isExactly(name.text) }
        }
        defer { withExtendedLifetime(slot) {} }
        let entries = try directory.contents().slots[number] ?? StateDirectory.Entries()
        var (left, isTriedAgain): ([ExactText: UnclaimedEvents], Bool) = ([:], false)
        do throws(EventStoreError) {
            try eventLog.completeTaking(of: slot, entries)
        } catch {
            failures.insert(
                "the events in slot \(number) of \(directory.path) could not be taken over: \(error.reason)")
            return nil
        }
        for file in entries.files {
            guard !isClosing, eventLog.slot != nil else { return nil }
            do throws(EventStoreError) {
                let (taken, stays) = try eventLog.takeOver(file, of: slot, where: isOwn)
                left.merge(stays, uniquingKeysWith: +)
                add(taken)
            } catch {
                failures.insert("\(directory.file(number, file)) could not be taken over: \(error.reason)")
                isTriedAgain = isTriedAgain || error.code != .corrupt
            }
            await pause()
        }
        let rest = try directory.contents().slots[number] ?? StateDirectory.Entries()
        return KnownSlot(stamps: isTriedAgain ? [:] : directory.stamps(of: number, rest), namespaces: left)
    }

    private func add(_ taken: EventLog.LeftFile) {
        var counts: [Int: Int] = [:]
        var indexes: [ExactText: Int] = [:]
        for (namespace, address) in taken.events {
            let known = indexes[namespace] ?? partitions.firstIndex { $0.namespace.isExactly(namespace.text) }
            guard let index = known else { continue }
            indexes[namespace] = index
            add(address, to: index, isLeft: true)
            counts[index, default: 0] += 1
        }
        for (index, count) in counts.sorted(by: { $0.key < $1.key }) {
            note(.found(count), of: partitions[index].namespace)
        }
        lose(taken.damagedCount, of: taken.neighbour?.text)
    }

    /// Logs the events of namespaces that this process does not have, after they have waited for a while.
    private func logUnclaimed(_ left: [ExactText: UnclaimedEvents], in directory: StateDirectory) {
        let uptime = time.uptime
        takeOver.unclaimedSince = left.mapValues { _ in uptime }
            .merging(takeOver.unclaimedSince.filter { left[$0.key] != nil }) { $1 }
        for (namespace, events) in left.sorted(by: { $0.key < $1.key }) {
            guard let since = takeOver.unclaimedSince[namespace], uptime - since >= Self.unclaimedInterval else {
                continue
            }
            takeOver.unclaimedSince[namespace] = .seconds(Int64.max)
            log.warning(
                "\(events.count) events of namespace \(namespace.text.excerpt) wait in \(directory.path) for a process that has it"
            )
        }
    }
}
