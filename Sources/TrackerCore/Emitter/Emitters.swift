/// The emitters of a pipeline: of the namespaces that have a tracker or unsent events, or had some a moment ago.
struct Emitters: Sendable {
    private(set) var byNamespace: [ExactText: NamespaceEmitter] = [:]
    /// By their index; nil for those that have ended.
    private(set) var places: [NamespaceEmitter?] = []
    /// What became of the events of those that have ended.
    private(set) var ended = TrackerCounters()
    /// The indexes of those that have ended, for others.
    private var free: [Int] = []
    /// Those that the store does not know yet, in the order in which they were made.
    private var new: [NamespaceEmitter] = []

    /// In the order of their indexes.
    var all: [NamespaceEmitter] { places.compactMap(\.self) }

    /// The emitter of a namespace, which is made if there is none.
    mutating func emitter(of namespace: String) -> NamespaceEmitter {
        if let emitter = byNamespace[exactly: namespace] { return emitter }
        let index = free.popLast() ?? places.count
        let emitter = NamespaceEmitter(namespace: namespace, index: index)
        if index == places.count { places.append(nil) }
        (places[index], byNamespace[exactly: namespace]) = (emitter, emitter)
        new.append(emitter)
        return emitter
    }

    /// Takes the emitters that the store does not know yet.
    mutating func takeNew() -> [NamespaceEmitter] {
        defer { new = [] }
        return new
    }

    /// Removes an emitter unless anything else refers to it: a tracker might track with its index.
    /// - Returns: The emitter, and whether it has ended.
    mutating func release(_ index: Int) -> (emitter: NamespaceEmitter?, hasEnded: Bool) {
        guard var emitter = places[index] else { return (nil, false) }
        let namespace = ExactText(emitter.namespace)
        (places[index], byNamespace[namespace]) = (nil, nil)
        guard isKnownUniquelyReferenced(&emitter) else {
            (places[index], byNamespace[namespace]) = (emitter, emitter)
            return (emitter, false)
        }
        free.append(index)
        var last = emitter.counters
        // What waits belongs to the next emitter of the namespace.
        last.stored = 0
        ended = ended + last
        return (emitter, true)
    }
}
