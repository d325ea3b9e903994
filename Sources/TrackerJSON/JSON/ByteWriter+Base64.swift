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
        guard var source = bytes.baseAddress else { return }
        let pairs = digitPairs
        // The last pair may have one digit too many.
        let first = UnsafeMutableRawPointer(reserve((bytes.count &+ 2) / 3 &* 4 &+ 2))
        var target = first
        let end = source + bytes.count
        // Six bytes at a time, of the eight that are loaded.
        while source + 8 <= end {
            let word = UInt64(bigEndian: source.loadUnaligned(as: UInt64.self))
            Self.put(word, pairs: 4, of: pairs, at: target)
            source += 6
            target += 8
        }
        let rest = end - source
        var word: UInt64 = 0
        for index in 0..<rest {
            word |= UInt64(source.load(fromByteOffset: index, as: UInt8.self)) &<< UInt64(56 &- 8 &* index)
        }
        let digits = (8 &* rest &+ 5) / 6
        Self.put(word, pairs: (digits &+ 1) / 2, of: pairs, at: target)
        advance(by: target - first + digits)
    }

    /// Puts the digits of the first bits of a word at a place.
    @inline(__always)
    private static func put(
        _ word: UInt64, pairs count: Int, of pairs: UnsafePointer<UInt16>, at target: UnsafeMutableRawPointer
    ) {
        for place in 0..<count {
            let bits = Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 52 &- 12 &* place)) & 0xFFF
            target.storeBytes(of: pairs[bits], toByteOffset: 2 &* place, as: UInt16.self)
        }
    }
}
