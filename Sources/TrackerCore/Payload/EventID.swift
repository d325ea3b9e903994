public import FoundationEssentials

/// The id of a tracked event, `eid`: a random UUID (RFC 9562, version 4).
public struct EventID: Sendable, Hashable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// Creates an id from a UUID, for example from a test or another system.
    /// - Parameter uuid: The UUID, of any version.
    public init(_ uuid: UUID) {
        let bytes = uuid.uuid
        func word(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        high = word([bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7])
        low = word([bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15])
    }

    /// The id as a UUID.
    public var uuid: UUID {
        func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - place * 8)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
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
        let target = UnsafeMutableRawPointer(reserve(36))
        func put(_ digits: UInt64, at place: Int) {
            target.storeBytes(of: digits.littleEndian, toByteOffset: place, as: UInt64.self)
        }
        // Each group of eight digits is cut by a hyphen before it, in its middle or both; later ones overwrite.
        let high = Self.hexadecimalDigits(SIMD2(id.high >> 32, id.high & 0xFFFF_FFFF))
        let low = Self.hexadecimalDigits(SIMD2(id.low >> 32, id.low & 0xFFFF_FFFF))
        put(high.x, at: 0)
        put(high.y, at: 9)
        put(high.y >> 32, at: 14)
        put(low.x, at: 19)
        put(low.x >> 32, at: 24)
        put(low.y, at: 28)
        for place in [8, 13, 18, 23] {
            target.storeBytes(of: UInt8(ascii: "-"), toByteOffset: place, as: UInt8.self)
        }
        advance(by: 36)
    }
}
