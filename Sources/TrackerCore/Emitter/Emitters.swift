/// The emitters of a pipeline, for namespaces that have a tracker or unsent events, or had some shortly before.
struct Emitters: Sendable {
    private(set) var byNamespace: [ExactText: NamespaceEmitter] = [:]
    /// The emitters by index; nil for those that have ended.
    private(set) var byIndex: [NamespaceEmitter?] = []
    /// The summed counters of ended emitters.
    private(set) var ended = TrackerCounters()
    /// The indexes of ended emitters, for reuse.
    private var free: [Int] = []
    /// The emitters that the store does not know yet, in the order of their creation.
    private var new: [NamespaceEmitter] = []

    /// All emitters in the order of their indexes.
    var all: [NamespaceEmitter] { byIndex.compactMap(\.self) }

    /// Returns the emitter of a namespace, and creates it if there is none.
    mutating func emitter(of namespace: String) -> NamespaceEmitter {
        if let emitter = byNamespace[exactly: namespace] { return emitter }
        let index = free.popLast() ?? byIndex.count
        let emitter = NamespaceEmitter(namespace: namespace, index: index)
        if index == byIndex.count { byIndex.append(nil) }
        (byIndex[index], byNamespace[exactly: namespace]) = (emitter, emitter)
        new.append(emitter)
        return emitter
    }

    /// Returns the emitters that the store does not know yet, and clears their list.
    mutating func takeNew() -> [NamespaceEmitter] {
        defer { new = [] }
        return new
    }

    /// Removes an emitter unless something else refers to it, because a tracker might track with its index.
    /// - Returns: The emitter, and whether it has ended.
    mutating func release(_ index: Int) -> (emitter: NamespaceEmitter?, hasEnded: Bool) {
        guard var emitter = byIndex[index] else { return (nil, false) }
        let namespace = ExactText(emitter.namespace)
        (byIndex[index], byNamespace[namespace]) = (nil, nil)
        guard isKnownUniquelyReferenced(&emitter) else {
            (byIndex[index], byNamespace[namespace]) = (emitter, emitter)
            return (emitter, false)
        }
        free.append(index)
        var last = emitter.counters
        // Stored events belong to the next emitter of the namespace.
        last.stored = 0
        ended = ended + last
        return (emitter, true)
    }
}
