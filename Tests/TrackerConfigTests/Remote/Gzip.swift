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
        var bits = Bits()
        bits.append(0b1, 1)
        bits.append(0b01, 2)
        bits.append(0b0000_1100, 8)  // The literal 0, its code written from the highest bit.
        for _ in 0...count / 258 {
            bits.append(0b1010_0011, 8)  // The length 258.
            bits.append(0, 5)  // The distance 1.
        }
        bits.append(0, 7)
        return head + bits.bytes + little(0, 4) + little(0, 4)
    }

    private struct Bits {
        var bytes: [UInt8] = []
        private var used = 8

        mutating func append(_ value: Int, _ count: Int) {
            for place in 0..<count {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(used)
                used += 1
            }
        }
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
