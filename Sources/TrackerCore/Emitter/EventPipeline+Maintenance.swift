extension EventPipeline {
    /// Maintains the storage, every 30 s: opens a store that could not be opened, salvages what is left of damaged ones, lets
    /// old events expire, and takes over what dead processes left.
    func tend() async {
        guard !isClosed else { return }
        reopenStorage()
        storage.reopenStaging()
        replayStaged()
        // Tries again to grow, and gives back what is not needed.
        greatestStore = 0
        for emitter in openEmitters() { raiseStagingLimit(for: emitter) }
        storage.staging.tend()
        queue.prepare()
        endUnstagedOutage()
        storage.countRest()
        countSoon()
        reportRefused()
        storage.salvageLeftovers()
        applyChanges()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        reportDueLosses()
        for emitter in openEmitters() { emitter.sample(at: time.uptime) }
        releaseEmitters()
        await adoptAbandonedStores()
        while storage.shrinkStep() { await Task.yield() }
    }

    /// Takes over what waited for namespaces that are new here; one look serves all trackers of a document.
    func adoptSoon() {
        guard storage.directory != nil, !isAdoptionScheduled else { return }
        isAdoptionScheduled = true
        adoption = Task.unbound { await self.adoptAbandonedStores() }
    }

    /// Takes over events of this process's namespaces that dead processes of the service left, and counts the others.
    func adoptAbandonedStores() async {
        isAdoptionScheduled = false
        guard !isClosed else { return }
        openPartitions()
        let left = await storage.adopt(
            if: { namespace in emitters.withLock { $0.byNamespace[exactly: namespace] }?.lastSettings != nil },
            pause: {
                applyChanges()
                await Task.yield()
            })
        applyChanges()
        guard let left else { return }
        _ = unclaimed.exchange(Dictionary(left.map { ($0.key.text, $0.value) }, uniquingKeysWith: +))
    }
}
