/// The address of an event's record: its file and its offset there; it also contains the size of the event.
struct RecordAddress: Equatable, Sendable {
    /// The maximum number of files that addresses can name.
    static let maxFiles = 1 << 14
    /// The exclusive upper bound of offsets in a file.
    static let maxOffset = 1 << 24
    /// No record.
    static let none = RecordAddress(bits: 0)

    // From the highest bit: the file (14 bits), the offset in units of 8 bytes (21), the size of the event in bytes
    // (27), an unused bit, anonymity.
    private let bits: UInt64

    private init(bits: UInt64) { self.bits = bits }

    /// - Parameters:
    ///   - file: The index of the file in its ``EventLog``.
    ///   - offset: The start of the record in the file, a multiple of 8 below 16 MiB.
    ///   - size: The size of the event in bytes, below ``EventRecord/maxSize``.
    ///   - isAnonymous: Whether the event was tracked under server anonymisation.
    init(file: Int, offset: Int, size: Int, isAnonymous: Bool) {
        bits = UInt64(file) << 50 | UInt64(offset) << 26 | UInt64(size) << 2 | (isAnonymous ? 1 : 0)
    }

    var file: Int { Int(bits >> 50) }

    var offset: Int { (Int(bits >> 29) & 0x1F_FFFF) << 3 }

    /// The size of the event in bytes.
    var size: Int { Int(bits >> 2) & 0x7FF_FFFF }

    var isAnonymous: Bool { bits & 1 != 0 }

    /// The amount of its event; zero without a record.
    var amount: EventAmount { self == .none ? .zero : EventAmount(events: 1, bytes: size) }

    /// The same address in a file with another index; ``none`` stays ``none``.
    func moved(to file: Int) -> RecordAddress {
        self == .none ? .none : RecordAddress(file: file, offset: offset, size: size, isAnonymous: isAnonymous)
    }
}
