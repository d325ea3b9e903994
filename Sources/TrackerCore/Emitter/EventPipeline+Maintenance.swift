extension EventPipeline {
    /// Maintains the store, every 30 s: takes a slot if there is none, lets old events expire, and takes over what dead processes
    /// left.
    func tend() async {
        guard !isClosed else { return }
        store.tend()
        applyChanges()
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        reportDueLosses()
        for emitter in openEmitters() { emitter.sample(at: time.uptime) }
        releaseEmitters()
        await takeOver()
    }

    /// Takes over what waited for namespaces that are new here; one look serves all trackers of a document.
    func takeOverSoon() {
        guard store.log.directory != nil, !isTakeOverDue else { return }
        isTakeOverDue = true
        startTakeOver { $0.settings != nil }
    }

    /// Takes over events of this process's namespaces that dead processes of the service left, and counts the others.
    func takeOver() async {
        takeOverSoon()
        await takeOverTask?.value
    }

    /// Takes over events that dead processes of the service left, and counts the others; after the looks that began before.
    /// - Parameter isOwn: Whether the events of an emitter's namespace are taken over.
    func startTakeOver(where isOwn: @escaping @Sendable (NamespaceEmitter) -> Bool) {
        let former = takeOverTask
        takeOverTask = Task.unbound {
            await former?.value
            await self.takeOver(where: isOwn)
        }
    }

    private func takeOver(where isOwn: (NamespaceEmitter) -> Bool) async {
        isTakeOverDue = false
        guard !isClosed else { return }
        // The same for all files, so that events stay in their order.
        let own = Set(openEmitters().filter(isOwn).map { ExactText($0.namespace) })
        let left = await store.takeOver(of: own) {
            applyChanges()
            await Task.yield()
        }
        applyChanges()
        guard let left else { return }
        _ = unclaimed.exchange(left)
    }
}
