/// The two digits of each of the 4,096 values of 12 bits, so that three bytes cost two look-ups.
private let digitPairs: [UInt16] = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return (0..<4096).map { UInt16(alphabet[$0 >> 6]) | UInt16(alphabet[$0 & 63]) << 8 }
}()

extension ByteWriter {
    /// Appends bytes in URL-safe base64 without padding (RFC 4648, section 5).
    package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var target = UnsafeMutableRawPointer(reserve((bytes.count + 2) / 3 * 4))
        let first = target
        digitPairs.withUnsafeBufferPointer { pairs in
            var index = 0
            while index &+ 2 < bytes.count {
                let group = Int(source[index]) << 16 | Int(source[index &+ 1]) << 8 | Int(source[index &+ 2])
                let four = UInt32(pairs[group >> 12].littleEndian) | UInt32(pairs[group & 0xFFF].littleEndian) << 16
                target.storeBytes(of: four.littleEndian, as: UInt32.self)
                target += 4
                index &+= 3
            }
            guard index < bytes.count else { return }
            let second = index &+ 1 < bytes.count ? Int(source[index &+ 1]) : 0
            let group = Int(source[index]) << 16 | second << 8
            target.storeBytes(of: pairs[group >> 12].littleEndian, as: UInt16.self)
            target += 2
            if index &+ 1 < bytes.count {
                target.storeBytes(of: UInt8(truncatingIfNeeded: pairs[group & 0xFFF]), as: UInt8.self)
                target += 1
            }
        }
        advance(by: target - first)
    }
}
