extension EventPipeline {
    /// Takes over what processes that are dead by now left in the state directory.
    func adoptAbandonedStores() async {
        guard let home, !isClosed else { return }
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        let (stores, warnings) = home.directory.abandonedStores(except: home.slot)
        for warning in warnings { log.error(warning) }
        for abandoned in stores {
            do throws(EventStoreError) {
                for namespace in try abandoned.namespaces() {
                    while !isClosed, let own = store as? SQLiteEventStore {
                        let moved = try abandoned.moveEvents(of: namespace, to: own)
                        if moved == 0 { break }
                        count(moved, of: namespace)
                        // A dead process's backlog must not keep this one's events waiting.
                        await Task.yield()
                    }
                }
            } catch {
                log.error("the events of a process that is gone could not all be taken over: \(error.reason)")
            }
            abandoned.close()
        }
    }

    /// Lets a namespace's lane know of events that it did not store itself.
    private func count(_ moved: Int, of namespace: String) {
        // A namespace without a lane counts its events when it gets one.
        guard let number = lanes.firstIndex(where: { $0.outbox.namespace.isExactly(namespace) }),
            lanes[number].key != nil
        else { return }
        lanes[number].queued += moved
        lanes[number].outbox.countRecovered(moved)
        enforceBounds(number)
        perform(threshold(number), number)
    }
}
