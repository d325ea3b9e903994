/// The unsent events of a namespace, the oldest first: events of earlier processes, then this process's events.
///
/// An event's id is its index, and never changes.
struct EventQueue {
    private struct Run {
        /// The number of addresses of a part.
        private static let partSize = 1024

        /// The id of the first address.
        private var firstID: Int64
        /// Parts of the same size, because a growing array reserves up to twice its size.
        private var parts: [[RecordAddress]] = []
        private var count = 0
        /// The index of the oldest event.
        private var head = 0

        init(firstID: Int64) { self.firstID = firstID }

        mutating func append(_ address: RecordAddress) {
            if count == parts.count * Self.partSize {
                parts.append([])
                parts[parts.count - 1].reserveCapacity(Self.partSize)
            }
            parts[parts.count - 1].append(address)
            count += 1
        }

        /// The indexes of the events from an id on.
        func indices(from id: Int64) -> Range<Int> {
            max(head, Int(min(max(id, firstID) - firstID, Int64(count))))..<count
        }

        func id(at index: Int) -> Int64 { firstID + Int64(index) }

        func contains(_ id: Int64) -> Bool { id >= firstID + Int64(head) && id < firstID + Int64(count) }

        subscript(index: Int) -> RecordAddress { parts[index / Self.partSize][index % Self.partSize] }

        subscript(id id: Int64) -> RecordAddress {
            get { contains(id) ? self[Int(id - firstID)] : .none }
            set {
                let index = Int(id - firstID)
                parts[index / Self.partSize][index % Self.partSize] = newValue
                while head < count, self[head] == .none { head += 1 }
                guard head >= Self.partSize else { return }
                let done = head / Self.partSize
                parts.removeFirst(done)
                let addresses = done * Self.partSize
                (firstID, head, count) = (firstID + Int64(addresses), head - addresses, count - addresses)
            }
        }
    }

    private var left = Run(firstID: 1)
    private var own = Run(firstID: 1 << 40)
    /// The amount of unsent events.
    private(set) var amount = EventAmount.zero

    mutating func append(_ address: RecordAddress, isLeft: Bool = false) {
        if isLeft { left.append(address) } else { own.append(address) }
        amount += address.amount
    }

    /// The address of an event; ``RecordAddress/none`` if it is done.
    subscript(id: Int64) -> RecordAddress { left.contains(id) ? left[id: id] : own[id: id] }

    /// Changes the address of an event; ``RecordAddress/none`` if it is done.
    mutating func setAddress(_ address: RecordAddress, of id: Int64) {
        amount -= self[id].amount
        if left.contains(id) { left[id: id] = address } else if own.contains(id) { own[id: id] = address }
        amount += address.amount
    }

    /// Calls `body` with each event, the newest first, for as long as it returns true.
    func forEachNewest(while body: (Int64, RecordAddress) -> Bool) {
        for run in [own, left] {
            for index in run.indices(from: .min).reversed() where run[index] != .none {
                guard body(run.id(at: index), run[index]) else { return }
            }
        }
    }

    /// Calls `body` with each event from an id on, the oldest first, for as long as it returns true.
    func forEach(from id: Int64 = .min, while body: (Int64, RecordAddress) -> Bool) {
        for run in [left, own] {
            for index in run.indices(from: id) where run[index] != .none {
                guard body(run.id(at: index), run[index]) else { return }
            }
        }
    }
}
