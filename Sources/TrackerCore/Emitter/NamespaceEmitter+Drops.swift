import Dispatch

extension NamespaceEmitter {
    /// A closure of the service that receives dropped events.
    typealias DropAction = @Sendable ([DroppedEvent], DropReason) -> Void

    /// The closures that receive dropped events.
    struct Drops: Sendable {
        var actions = Handlers<DropAction>()
        /// Calls the closures one after the other, outside of Swift's thread pool because closures may block.
        var queue: DispatchQueue?
        /// The size of the payloads that wait or that closures process, in bytes.
        var bytes = 0
    }

    /// The maximum size of waiting payloads in bytes; a single batch may exceed it.
    private static let maxDropBytes = 16 << 20

    /// Whether there is a closure that receives dropped events.
    var hasDropActions: Bool { state.withLock { !$0.drops.actions.isEmpty } }

    /// Adds a closure that receives dropped events, if the emitter is still the tracker's.
    func onDrop(_ owner: some Owner, _ action: @escaping DropAction) -> Subscription {
        let subscription = Subscription { [weak self] subscription in
            self?.state.discard { state in
                let old = state.drops.actions
                state.drops.actions.remove(subscription)
                return old
            }
        }
        state.withLock { if $0.ownerID == ObjectIdentifier(owner) { $0.drops.actions.add(subscription, action) } }
        return subscription
    }

    /// Passes events to the current closures. Must be called by one thread at a time.
    /// - Returns: The number of events that were not passed on, because too many wait.
    func passOn(_ events: [StoredEvent], _ reason: DropReason) -> Int {
        let bytes = events.reduce(0) { $0 + $1.payload.count }
        let (actions, queue) = state.withLock { state -> (Handlers<DropAction>, DispatchQueue?) in
            let fits = state.drops.bytes == 0 || state.drops.bytes + bytes <= Self.maxDropBytes
            guard fits, !state.drops.actions.isEmpty else { return (state.drops.actions, nil) }
            state.drops.bytes += bytes
            let queue = state.drops.queue ?? DispatchQueue(label: "tracker-drops")
            state.drops.queue = queue
            return (state.drops.actions, queue)
        }
        guard let queue else { return actions.isEmpty ? 0 : events.count }
        queue.async { [self] in
            let dropped = events.compactMap { DroppedEvent($0, of: namespace) }
            if !dropped.isEmpty { actions.call { $0(dropped, reason) } }
            state.withLock { $0.drops.bytes -= bytes }
        }
        return 0
    }

    /// Waits until the closures have received all events.
    package func waitForDropActions() async {
        guard let queue = state.withLock({ $0.drops.queue }) else { return }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
