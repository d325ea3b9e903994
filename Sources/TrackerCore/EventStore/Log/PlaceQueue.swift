/// The unsent events of a namespace, the oldest first: events of earlier processes, then this process's events.
///
/// An event's id is its index, and never changes.
struct PlaceQueue {
    private struct Run {
        /// The number of places of a part.
        private static let partSize = 1024

        /// The id of the first place.
        private var firstID: Int64
        /// Parts of the same size, because a growing array reserves up to twice its size.
        private var parts: [[Place]] = []
        private var count = 0
        /// The index of the oldest event.
        private var head = 0

        init(firstID: Int64) { self.firstID = firstID }

        mutating func append(_ place: Place) {
            if count == parts.count * Self.partSize {
                parts.append([])
                parts[parts.count - 1].reserveCapacity(Self.partSize)
            }
            parts[parts.count - 1].append(place)
            count += 1
        }

        /// The indexes of the events from an id on.
        func indices(from id: Int64) -> Range<Int> {
            max(head, Int(min(max(id, firstID) - firstID, Int64(count))))..<count
        }

        func id(at index: Int) -> Int64 { firstID + Int64(index) }

        func contains(_ id: Int64) -> Bool { id >= firstID + Int64(head) && id < firstID + Int64(count) }

        subscript(index: Int) -> Place { parts[index / Self.partSize][index % Self.partSize] }

        subscript(id id: Int64) -> Place {
            get { contains(id) ? self[Int(id - firstID)] : .none }
            set {
                let index = Int(id - firstID)
                parts[index / Self.partSize][index % Self.partSize] = newValue
                while head < count, self[head] == .none { head += 1 }
                guard head >= Self.partSize else { return }
                let done = head / Self.partSize
                parts.removeFirst(done)
                let places = done * Self.partSize
                (firstID, head, count) = (firstID + Int64(places), head - places, count - places)
            }
        }
    }

    private var left = Run(firstID: 1)
    private var own = Run(firstID: 1 << 40)
    /// The amount of unsent events.
    private(set) var amount = EventAmount.zero

    mutating func append(_ place: Place, isLeft: Bool = false) {
        if isLeft { left.append(place) } else { own.append(place) }
        amount += place.amount
    }

    /// The place of an event; ``Place/none`` if it is done.
    subscript(id: Int64) -> Place { left.contains(id) ? left[id: id] : own[id: id] }

    /// Changes the place of an event; ``Place/none`` if it is done.
    mutating func move(_ id: Int64, to place: Place) {
        amount -= self[id].amount
        if left.contains(id) { left[id: id] = place } else if own.contains(id) { own[id: id] = place }
        amount += place.amount
    }

    /// Calls `body` with each event, the newest first, for as long as it returns true.
    func forEachNewest(while body: (Int64, Place) -> Bool) {
        for run in [own, left] {
            for index in run.indices(from: .min).reversed() where run[index] != .none {
                guard body(run.id(at: index), run[index]) else { return }
            }
        }
    }

    /// Calls `body` with each event from an id on, the oldest first, for as long as it returns true.
    func forEach(from id: Int64 = .min, while body: (Int64, Place) -> Bool) {
        for run in [left, own] {
            for index in run.indices(from: id) where run[index] != .none {
                guard body(run.id(at: index), run[index]) else { return }
            }
        }
    }
}
