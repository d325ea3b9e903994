/// The two digits of each of the 4,096 values of 12 bits, so that three bytes cost two look-ups. Never freed.
nonisolated(unsafe) private let digitPairs: UnsafePointer<UInt16> = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let pairs = UnsafeMutablePointer<UInt16>.allocate(capacity: 4096)
    for value in 0..<4096 {
        pairs[value] = (UInt16(alphabet[value >> 6]) | UInt16(alphabet[value & 63]) << 8).littleEndian
    }
    return UnsafePointer(pairs)
}()

extension ByteWriter {
    /// Appends bytes in URL-safe base64 without padding (RFC 4648, section 5).
    package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        let count = bytes.count
        let target = UnsafeMutableRawPointer(reserve((count &+ 2) / 3 &* 4))
        let pairs = digitPairs
        var index = 0
        var place = 0
        // Six bytes at a time, of the eight that are loaded.
        while index &+ 8 <= count {
            let word = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            for part in 0..<4 {
                let bits = Int(truncatingIfNeeded: word &>> UInt64(52 &- 12 &* part)) & 0xFFF
                target.storeBytes(of: pairs[bits], toByteOffset: place &+ 2 &* part, as: UInt16.self)
            }
            index &+= 6
            place &+= 8
        }
        while index < count {
            let length = min(count &- index, 3)
            var three = 0
            for byte in 0..<length {
                three |= Int(source.load(fromByteOffset: index &+ byte, as: UInt8.self)) &<< (16 &- 8 &* byte)
            }
            // Two, three or four digits.
            withUnsafeBytes(of: (pairs[three >> 12], pairs[three & 0xFFF])) { digits in
                for digit in 0...length {
                    target.storeBytes(of: digits[digit], toByteOffset: place &+ digit, as: UInt8.self)
                }
            }
            index &+= length
            place &+= length &+ 1
        }
        advance(by: place)
    }
}
