import TrackerCore

/// What became of each tracked event: every event is outstanding, delivered, dropped or lost, and only one of them.
struct Ledger {
    enum State: Equatable {
        /// In a store, or on the way there.
        case outstanding
        /// The service has removed it because the collector took it.
        case delivered
        /// The service has dropped it for a reason.
        case dropped(DropReason)
        /// It may be missing, because a power failure or a kill took what no disk had yet.
        case lost
    }

    struct Entry {
        let namespace: Int
        var state = State.outstanding
        /// How often the collector took it.
        var arrivals = 0
        /// How often it may arrive beyond the first time.
        var allowance = 0
        /// Whether it is safe from a power failure.
        var isSynced = false
    }

    private(set) var entries: [Entry] = []
    /// The outstanding events by namespace.
    private(set) var outstanding: [Int]
    private(set) var violations: [String] = []

    init(namespaces: Int) {
        outstanding = Array(repeating: 0, count: namespaces)
    }

    subscript(id: Int) -> Entry? { entries.indices.contains(id) ? entries[id] : nil }

    mutating func fail(_ sentence: String) {
        violations.append(sentence)
    }

    /// Adds an event.
    /// - Returns: Its number.
    mutating func track(namespace: Int) -> Int {
        entries.append(Entry(namespace: namespace))
        outstanding[namespace] += 1
        return entries.count - 1
    }

    /// The collector takes an event.
    /// - Returns: Whether it had it already.
    mutating func arrive(_ id: Int) -> Bool {
        guard entries.indices.contains(id) else {
            fail("the collector took event \(id), which was never tracked")
            return false
        }
        entries[id].arrivals += 1
        let extra = entries[id].arrivals - 1
        if extra > entries[id].allowance {
            fail("the collector took event \(id) \(extra + 1) times, and \(entries[id].allowance + 1) are allowed")
        }
        return extra > 0
    }

    /// Allows that events arrive once more: the answer to a request was lost, or their removal.
    mutating func allowDuplicate(_ ids: [Int]) {
        for id in ids where entries.indices.contains(id) { entries[id].allowance += 1 }
    }

    /// Events are safe from a power failure.
    mutating func sync(_ ids: some Sequence<Int>) {
        for id in ids { entries[id].isSynced = true }
    }

    mutating func settle(_ id: Int) {
        guard let entry = self[id] else { return fail("event \(id) was removed and never tracked") }
        if entry.arrivals == 0 { fail("event \(id) counts as delivered, and no collector took it") }
        end(id, .delivered)
    }

    mutating func drop(_ id: Int, _ reason: DropReason) {
        end(id, .dropped(reason))
    }

    mutating func lose(_ id: Int) {
        end(id, .lost)
    }

    private mutating func end(_ id: Int, _ state: State) {
        guard let entry = self[id] else { return fail("event \(id) ended as \(state) and was never tracked") }
        guard entry.state == .outstanding else { return fail("event \(id) was \(entry.state), and is \(state) too") }
        entries[id].state = state
        outstanding[entry.namespace] -= 1
    }

    /// An event is in a store again, whose removal was lost. A power failure may bring the removal back.
    mutating func revive(_ id: Int) {
        guard let entry = self[id], entry.state != .outstanding else { return }
        (entries[id].state, entries[id].isSynced) = (.outstanding, false)
        entries[id].allowance += 1
        outstanding[entry.namespace] += 1
    }
}

extension Ledger {
    /// The most events of a simulation.
    static let capacity = 1_000_000_000

    /// The payload of an event, in which its number has a fixed place.
    static func payload(_ id: Int, namespace: String, filler: Int) -> [UInt8] {
        key(of: id) + Array(#"","e":"pv","tna":"\#(namespace)","page":""#.utf8)
            + Array(repeating: UInt8(ascii: "x"), count: filler) + Array(#""}"#.utf8)
    }

    /// What the payloads of all events begin with.
    static let keyPrefix = Array(#"{"eid":""#.utf8)

    /// What the payload of an event begins with.
    static func key(of id: Int) -> [UInt8] { keyPrefix + Array("\(capacity + id)".utf8) }

    /// The number of an event; nil if it is none of the simulation's.
    static func id(of event: StoredEvent) -> Int? { id(of: event.payload) }

    /// The number of an event by its payload; nil if it is none of the simulation's.
    static func id(of payload: [UInt8]) -> Int? {
        guard payload.count > 18 else { return nil }
        var number = 0
        for byte in payload[8..<18] {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number - capacity
    }
}
