/// The two base64 digits of each 12-bit value, so that three bytes cost two look-ups.
private let digitPairs: [UInt16] = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return (0..<4096).map { (UInt16(alphabet[$0 >> 6]) | UInt16(alphabet[$0 & 63]) << 8).littleEndian }
}()

extension ByteWriter {
    /// Appends bytes in URL-safe base64 without padding (RFC 4648, section 5).
    package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        let length = (bytes.count &* 4 &+ 2) / 3
        // The last digits are written in pairs, which may exceed the length.
        let target = UnsafeMutableRawPointer(reserve(length &+ 3))
        digitPairs.withUnsafeBufferPointer { pairs in
            var (index, offset) = (0, 0)
            while index &+ 8 <= bytes.count {
                let bits = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                for group in 0..<4 {
                    let pair = pairs[Int(truncatingIfNeeded: bits &>> UInt64(52 &- 12 &* group)) & 0xFFF]
                    target.storeBytes(of: pair, toByteOffset: offset &+ 2 &* group, as: UInt16.self)
                }
                index &+= 6
                offset &+= 8
            }
            while index < bytes.count {
                var bits = Int(bytes[index]) &<< 16
                if index &+ 1 < bytes.count { bits |= Int(bytes[index &+ 1]) &<< 8 }
                if index &+ 2 < bytes.count { bits |= Int(bytes[index &+ 2]) }
                target.storeBytes(of: pairs[bits &>> 12], toByteOffset: offset, as: UInt16.self)
                target.storeBytes(of: pairs[bits & 0xFFF], toByteOffset: offset &+ 2, as: UInt16.self)
                index &+= 3
                offset &+= 4
            }
        }
        advance(by: length)
    }
}
