/// A value with the rank of its layer.
struct LayerValue<Value: Sendable>: Sendable {
    let value: Value
    let rank: LayerRank
}

/// The values that layers give to one key, the highest layer's first. Creating and reading it allocates nothing.
struct LayerValues<Value: Sendable>: Sendable {
    private let winner: LayerValue<Value>?
    private let rest: [LayerValue<Value>]

    init(_ winner: LayerValue<Value>?, _ rest: [LayerValue<Value>]) { (self.winner, self.rest) = (winner, rest) }

    /// How many there are.
    var count: Int { winner == nil ? 0 : 1 + rest.count }

    /// The value at an index; nil behind the last one.
    subscript(_ index: Int) -> LayerValue<Value>? {
        if index == 0 { return winner }
        return index <= rest.count ? rest[index - 1] : nil
    }
}

/// The values that layers give to each key, in order of precedence.
struct ResolutionTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Entry = LayerValue<Value>

    /// The entry of the highest layer for each key.
    private(set) var winners: [Key: Entry] = [:]

    /// The entries below the winner, the highest first, for the keys that several layers have.
    private var overridden: [Key: [Entry]] = [:]

    init() {}

    /// The value in effect.
    @inline(__always)
    subscript(_ key: Key) -> Entry? { winners.isEmpty ? nil : winners[key] }

    /// All values of a key, the one in effect first.
    func all(_ key: Key) -> LayerValues<Value> {
        guard let winner = self[key] else { return LayerValues(nil, []) }
        return LayerValues(winner, overridden.isEmpty ? [] : overridden[key] ?? [])
    }

    /// All values of a key, the one in effect first.
    func entries(for key: Key) -> [Entry] {
        let all = all(key)
        return (0..<all.count).compactMap { all[$0] }
    }

    mutating func reserveCapacity(_ capacity: Int) {
        winners.reserveCapacity(capacity)
    }

    /// Sets the value of a layer that has no other value for the key, or replaces it.
    mutating func set(_ value: Value, for key: Key, rank: LayerRank) {
        winners[key] = Entry(value: value, rank: rank)
    }

    /// Puts a layer above all others of this table.
    /// - Parameter layer: A table of one layer.
    mutating func add(_ layer: ResolutionTable) {
        // The larger dictionary is copied as a whole, or shared if the other is empty.
        guard winners.count < layer.winners.count else {
            for (key, entry) in layer.winners {
                if let below = winners.updateValue(entry, forKey: key) {
                    overridden[key, default: []].insert(below, at: 0)
                }
            }
            return
        }
        let lower = winners
        winners = layer.winners
        for (key, below) in lower {
            if winners[key] == nil {
                winners[key] = below
            } else {
                overridden[key, default: []].insert(below, at: 0)
            }
        }
    }
}
