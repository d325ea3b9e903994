/// A value with the rank of its layer.
struct LayerValue<Value: Sendable>: Sendable {
    let value: Value
    let rank: LayerRank
}

/// The values that layers give to one key, the highest layer's first. Creating and reading it allocates nothing.
struct LayerValues<Value: Sendable>: Sendable {
    private let effective: LayerValue<Value>?
    private let overridden: [LayerValue<Value>]

    init(_ effective: LayerValue<Value>?, _ overridden: [LayerValue<Value>]) {
        (self.effective, self.overridden) = (effective, overridden)
    }

    /// The quantity.
    var count: Int { effective == nil ? 0 : 1 + overridden.count }

    /// The value at an index; nil behind the last one.
    subscript(_ index: Int) -> LayerValue<Value>? {
        if index == 0 { return effective }
        return index <= overridden.count ? overridden[index - 1] : nil
    }
}

/// The values that layers give to each key, in order of precedence.
struct ResolutionTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Entry = LayerValue<Value>

    /// The entry of the highest layer for each key.
    private(set) var effective: [Key: Entry] = [:]

    /// The entries below the one in effect, the highest first, for the keys that several layers have.
    private var overridden: [Key: [Entry]] = [:]

    init() {}

    /// The value in effect.
    @inline(__always)
    subscript(_ key: Key) -> Entry? { effective.isEmpty ? nil : effective[key] }

    /// All values of a key, the one in effect first.
    func all(_ key: Key) -> LayerValues<Value> {
        guard let entry = self[key] else { return LayerValues(nil, []) }
        return LayerValues(entry, overridden.isEmpty ? [] : overridden[key] ?? [])
    }

    /// All values of a key, the one in effect first.
    func entries(for key: Key) -> [Entry] {
        let all = all(key)
        return (0..<all.count).compactMap { all[$0] }
    }

    /// Makes something of all values of each key.
    func mapEntries<Result>(_ make: (Key, LayerValues<Value>) -> Result) -> [Key: Result] {
        var results: [Key: Result] = [:]
        results.reserveCapacity(effective.count)
        for (key, entry) in effective {
            results[key] = make(key, LayerValues(entry, overridden.isEmpty ? [] : overridden[key] ?? []))
        }
        return results
    }

    mutating func reserveCapacity(_ capacity: Int) {
        effective.reserveCapacity(capacity)
    }

    /// Sets the value of a layer that has no other value for the key, or replaces it.
    mutating func set(_ value: Value, for key: Key, rank: LayerRank) {
        effective[key] = Entry(value: value, rank: rank)
    }

    /// Puts a layer above all others of this table.
    /// - Parameter layer: A table of one layer.
    mutating func add(_ layer: ResolutionTable) {
        // The larger dictionary is copied as a whole, or shared if the other is empty.
        guard effective.count < layer.effective.count else {
            for (key, entry) in layer.effective {
                if let below = effective.updateValue(entry, forKey: key) {
                    overridden[key, default: []].insert(below, at: 0)
                }
            }
            return
        }
        let lower = effective
        effective = layer.effective
        for (key, below) in lower {
            if effective[key] == nil {
                effective[key] = below
            } else {
                overridden[key, default: []].insert(below, at: 0)
            }
        }
    }
}
