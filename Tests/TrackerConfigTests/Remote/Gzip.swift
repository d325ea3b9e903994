/// Streams of RFC 1952 for tests, written by hand.
enum Gzip {
    private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// At most 65,535 bytes, stored as they are.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let size = UInt16(bytes.count)
        let block = [1] + little(UInt32(size), 2) + little(UInt32(~size), 2) + bytes
        return head + block + little(checksum(bytes), 4) + little(UInt32(bytes.count), 4)
    }

    /// Zeros, 258 for every 13 bits; the checksum is wrong, which only somebody who reads to the end could see.
    static func zeros(atLeast count: Int) -> [UInt8] {
        // The length 258 and the distance 1.
        let copy = [(0b1010_0011, 8), (0, 5)]
        // A block with fixed codes, the literal 0, its code written from the highest bit, and a copy, which ends the third byte.
        var bytes = head + bits([(0b1, 1), (0b01, 2), (0b0000_1100, 8)] + copy)
        let copies = bits((0..<8).flatMap { _ in copy })
        for _ in 0...count / (8 * 258) { bytes += copies }
        return bytes + [0] + little(0, 4) + little(0, 4)
    }

    /// Numbers with their lengths in bits, from the lowest bit of each byte on.
    private static func bits(_ parts: [(Int, Int)]) -> [UInt8] {
        var bytes: [UInt8] = []
        var used = 0
        for (value, count) in parts {
            for place in 0..<count {
                if used % 8 == 0 { bytes.append(0) }
                bytes[used / 8] |= UInt8(value >> place & 1) << UInt8(used % 8)
                used += 1
            }
        }
        return bytes
    }

    private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
