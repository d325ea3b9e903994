import TrackerConfig
import TrackerCore
import TrackerFeatures

/// What is to happen later, in the order of its time.
struct Agenda {
    enum Task {
        /// What was tracked goes to the store.
        case drain
        /// The store does what it could not do at once.
        case postponedWork
        case deliveryTimer(namespace: Int)
        case load(namespace: Int, DeliveryState.Load)
        case flushTimeout(namespace: Int, id: UInt64)
        /// A request reaches the collector; it may outlive its process.
        case arrival(Flight)
        case answer(Flight)
        case timer(ConfigurationLifecycle.Timer, interval: Int64)
        case fetchAnswer(DocumentValidators?)
        /// Something comes over a connection to the push server.
        case stream(number: Int, PushServer.Delivery)
        /// A document that came so is decided on.
        case maintenance
        case takeOver
    }

    struct Item {
        var due: Int64
        let order: Int
        /// The life of the process that waits for it; nil for what outlives each process.
        let life: Int?
        let task: Task
    }

    private(set) var items: [Item] = []
    private var order = 0

    mutating func add(_ task: Task, at due: Int64, of life: Int?) {
        order += 1
        items.append(Item(due: due, order: order, life: life, task: task))
    }

    /// Takes the item that is due first, or one of the next ones, which is late then.
    mutating func take(late place: Int = 0) -> Item? {
        guard var best = items.indices.min(by: { precedes($0, $1) }) else { return nil }
        if place > 0, items.count > 1 {
            let other = place % items.count
            if items[other].due <= items[best].due + 1_000 { best = other }
        }
        items.swapAt(best, items.count - 1)
        return items.removeLast()
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (items[left].due, items[left].order) < (items[right].due, items[right].order)
    }

    /// Moves the timers of deliveries.
    mutating func delayDeliveries(by milliseconds: Int64) {
        for index in items.indices {
            if case .deliveryTimer = items[index].task { items[index].due += milliseconds }
        }
    }

    /// Removes what a process waits for.
    mutating func removeAll(of life: Int, where isGone: (Task) -> Bool) {
        items.removeAll { $0.life == life && isGone($0.task) }
    }

    /// Whether a process waits for something.
    func contains(of life: Int, where isMeant: (Task) -> Bool) -> Bool {
        items.contains { $0.life == life && isMeant($0.task) }
    }
}
