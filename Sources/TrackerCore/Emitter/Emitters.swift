/// The emitters of a pipeline: of the namespaces that have a tracker or unsent events, or had some a moment ago.
struct Emitters: Sendable {
    /// What is left of an emitter that has ended, for the next one of its namespace.
    private struct Former {
        let index: Int
        let session: SessionRecord?
        /// How many had ended before it.
        let order: Int
    }

    /// How many of those that have ended are known, the last ones; the index of another one is used again. Another number is for
    /// tests.
    var maxFormer = 1_000

    private(set) var byNamespace: [ExactText: NamespaceEmitter] = [:]
    /// By their index; nil for those that have ended.
    private(set) var places: [NamespaceEmitter?] = []
    /// What became of the events of those that have ended.
    private(set) var ended = TrackerCounters()
    private var former: [ExactText: Former] = [:]
    private var endedCount = 0
    /// Indexes of emitters that have ended and are not known any more.
    private var free: [Int] = []
    /// Those that have the index of an emitter that had ended.
    private var returned: [NamespaceEmitter] = []

    /// In the order of their indexes.
    var all: [NamespaceEmitter] { places.compactMap(\.self) }

    /// The emitter of a namespace, which is made if there is none.
    /// - Parameters:
    ///   - namespace: The namespace.
    ///   - savedSession: The session that an earlier process left.
    /// - Returns: The emitter.
    mutating func emitter(of namespace: String, savedSession: SessionRecord?) -> NamespaceEmitter {
        if let emitter = byNamespace[exactly: namespace] { return emitter }
        let former = former.isEmpty ? nil : former.removeValue(forKey: ExactText(namespace))
        let index = former?.index ?? free.popLast()
        let emitter = NamespaceEmitter(
            namespace: namespace, index: index ?? places.count,
            savedSession: former == nil ? savedSession : former?.session)
        byNamespace[exactly: namespace] = emitter
        if let index {
            places[index] = emitter
            returned.append(emitter)
        } else {
            places.append(emitter)
        }
        return emitter
    }

    /// Takes the emitters whose index the storage has from one before.
    mutating func takeReturned() -> [NamespaceEmitter] {
        defer { returned = [] }
        return returned
    }

    /// Removes an emitter unless anything else refers to it: a tracker might track with its index.
    /// - Returns: The emitter, and whether it has ended.
    mutating func release(_ index: Int) -> (emitter: NamespaceEmitter?, hasEnded: Bool) {
        guard var emitter = places[index] else { return (nil, false) }
        let namespace = ExactText(emitter.namespace)
        places[index] = nil
        byNamespace[namespace] = nil
        guard isKnownUniquelyReferenced(&emitter) else {
            places[index] = emitter
            byNamespace[namespace] = emitter
            return (emitter, false)
        }
        former[namespace] = Former(index: index, session: emitter.savedSession, order: endedCount)
        endedCount += 1
        if former.count > maxFormer, let oldest = former.min(by: { $0.value.order < $1.value.order }) {
            former[oldest.key] = nil
            free.append(oldest.value.index)
        }
        var last = emitter.counters
        // What waits belongs to the next emitter of the namespace.
        last.stored = 0
        ended = ended + last
        return (emitter, true)
    }
}
