extension ByteWriter {
    /// Appends bytes in URL-safe base64 without padding (RFC 4648, section 5).
    package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        let digits = alphabet.utf8Start
        guard let source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var target = reserve((bytes.count + 2) / 3 * 4)
        let first = target
        var index = 0
        while index &+ 2 < bytes.count {
            let group = UInt(source[index]) << 16 | UInt(source[index &+ 1]) << 8 | UInt(source[index &+ 2])
            target[0] = digits[Int(group >> 18)]
            target[1] = digits[Int(group >> 12 & 63)]
            target[2] = digits[Int(group >> 6 & 63)]
            target[3] = digits[Int(group & 63)]
            target += 4
            index &+= 3
        }
        if index < bytes.count {
            let second: UInt = index &+ 1 < bytes.count ? UInt(source[index &+ 1]) : 0
            let group = UInt(source[index]) << 16 | second << 8
            target[0] = digits[Int(group >> 18)]
            target[1] = digits[Int(group >> 12 & 63)]
            target += 2
            if index &+ 1 < bytes.count {
                target.pointee = digits[Int(group >> 6 & 63)]
                target += 1
            }
        }
        advance(by: target - first)
    }
}
