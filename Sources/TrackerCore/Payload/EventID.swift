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

    /// Makes a UUID of 128 random bits, six of which give way to version and variant.
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
        let target = reserve(36)
        let digits = ("0123456789abcdef" as StaticString).utf8Start
        var (bits, place) = (id.high, 0)
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                target[place] = UInt8(ascii: "-")
                place &+= 1
            }
            if digit == 16 { bits = id.low }
            target[place] = digits[Int(truncatingIfNeeded: bits &>> 60)]
            bits &<<= 4
            place &+= 1
        }
        advance(by: 36)
    }
}
