public import FoundationEssentials

/// The id of a tracked event, `eid`: a random UUID (RFC 9562, version 4).
public struct EventID: Sendable, Hashable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// Creates an id from a UUID, for example from a test or another system.
    /// - Parameter uuid: The UUID, of any version.
    public init(_ uuid: UUID) {
        let (high, low) = withUnsafeBytes(of: uuid.uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
        (self.high, self.low) = (high.bigEndian, low.bigEndian)
    }

    /// The id as a UUID.
    public var uuid: UUID {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Creates a UUID from 128 random bits, six of which are replaced by version and variant.
    package init(high: UInt64, low: UInt64) {
        self.high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        self.low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// The id in lower case, as it is sent.
    public var description: String {
        var writer = ByteWriter(capacity: 36)
        writer.append(self)
        return writer.text
    }
}

extension ByteWriter {
    /// Appends an id in its 36 characters.
    mutating func append(_ id: EventID) {
        let target = UnsafeMutableRawPointer(reserve(36))
        func put(_ bits: UInt64, at offset: Int) {
            let digits = UInt32(truncatingIfNeeded: bits).hexadecimalDigits
            target.storeBytes(of: digits.bigEndian, toByteOffset: offset, as: UInt64.self)
        }
        func putDash(at offset: Int) { target.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self) }
        // Left to right: each group of four digits is the first half of eight, and the next group overwrites the rest.
        put(id.high >> 32, at: 0)
        put(id.high, at: 9)
        put(id.high << 16, at: 14)
        put(id.low >> 32, at: 19)
        put(id.low >> 16, at: 24)
        put(id.low, at: 28)
        putDash(at: 8)
        putDash(at: 13)
        putDash(at: 18)
        putDash(at: 23)
        advance(by: 36)
    }
}

extension UInt32 {
    /// The eight digits in lower case, the first in the highest byte.
    fileprivate var hexadecimalDigits: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var digits = UInt64(self)
        digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & (ones &* 0x0F)
        let letters = (digits &+ ones &* 6) >> 4 & ones
        return digits &+ ones &* 0x30 &+ letters &* 39
    }
}
