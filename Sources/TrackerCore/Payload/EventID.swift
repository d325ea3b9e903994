/// The id of a tracked event, `eid`: a random UUID (RFC 9562, version 4).
public struct EventID: Sendable, Hashable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// Makes a UUID of 128 random bits, six of which give way to version and variant.
    package init(high: UInt64, low: UInt64) {
        self.high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        self.low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// The id in lower case, as it stands on the wire.
    public var description: String {
        var writer = ByteWriter(capacity: 36)
        writer.append(self)
        return writer.text
    }
}

extension ByteWriter {
    /// Appends an id in its 36 characters.
    mutating func append(_ id: EventID) {
        var target = reserve(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 {
                target.pointee = UInt8(ascii: "-")
                target += 1
            }
            let word = place < 16 ? id.high : id.low
            target.pointee = Self.hexadecimalDigit(
                UInt8(truncatingIfNeeded: word >> (60 - UInt64(place & 15) * 4)) & 15)
            target += 1
        }
        advance(by: 36)
    }
}
