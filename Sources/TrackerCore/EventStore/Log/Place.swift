/// Where the record of an event is: in which file, and where there. It also knows how large the event is.
struct Place: Equatable, Sendable {
    /// The most files that places can name.
    static let maxFiles = 1 << 14
    /// The offsets in a file are below this.
    static let maxOffset = 1 << 24
    /// No record.
    static let none = Place(bits: 0)

    // From the highest bit: the file (14 bits), the offset in units of 8 bytes (21), the bytes of the event (27), one that is
    // free, anonymity.
    private let bits: UInt64

    private init(bits: UInt64) { self.bits = bits }

    /// - Parameters:
    ///   - file: The index of the file in its ``EventLog``.
    ///   - offset: Where the record begins in the file, a multiple of 8 below 16 MiB.
    ///   - size: The bytes of the event, with a name that follows the payload, below ``EventRecord/maxSize``.
    ///   - isAnonymous: Whether the event was tracked under server anonymisation.
    init(file: Int, offset: Int, size: Int, isAnonymous: Bool) {
        bits = UInt64(file) << 50 | UInt64(offset) << 26 | UInt64(size) << 2 | (isAnonymous ? 1 : 0)
    }

    var file: Int { Int(bits >> 50) }

    var offset: Int { (Int(bits >> 29) & 0x1F_FFFF) << 3 }

    /// The bytes of the event.
    var size: Int { Int(bits >> 2) & 0x7FF_FFFF }

    var isAnonymous: Bool { bits & 1 != 0 }

    /// What it adds to an amount; nothing without a record.
    var amount: EventAmount { self == .none ? .zero : EventAmount(events: 1, bytes: size) }

    /// The same place in a file with another index; none stays none.
    func moved(to file: Int) -> Place {
        self == .none ? .none : Place(file: file, offset: offset, size: size, isAnonymous: isAnonymous)
    }
}
