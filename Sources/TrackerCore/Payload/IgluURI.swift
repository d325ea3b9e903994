import Glibc

extension String {
    /// Whether the text is the URI of a schema in Iglu: `iglu:VENDOR/NAME/jsonschema/N-N-N`, as Snowplow's Enrich reads it.
    ///
    /// Vendors have letters, digits and `.-_`, names and formats letters, digits and `-_`; the first number of a version is
    /// not 0, and no number has a zero before it.
    var isIgluURI: Bool {
        // Contiguous and without a copy for every string that Swift itself made.
        utf8.withContiguousStorageIfAvailable(Self.isIgluURI) ?? Array(utf8).withUnsafeBufferPointer(Self.isIgluURI)
    }

    private static func isIgluURI(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, bytes.count >= 16, bytes[0] == UInt8(ascii: "i"),
            bytes[1] == UInt8(ascii: "g"), bytes[2] == UInt8(ascii: "l"), bytes[3] == UInt8(ascii: "u"),
            bytes[4] == UInt8(ascii: ":")
        else { return false }
        let end = start + bytes.count
        var part = start + 5
        for index in 0..<3 {
            guard let slash = find("/", from: part, to: end), slash > part,
                index == 0 || find(".", from: part, to: slash) == nil
            else { return false }
            part = slash + 1
        }
        return isVersion(UnsafeBufferPointer(rebasing: bytes[(part - start)...]))
            && areNameBytes(bytes, in: 5..<part - start)
    }

    private static func find(
        _ character: Unicode.Scalar, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        memchr(start, Int32(character.value), end - start).map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Whether bytes are letters, digits, or one of `-_./`. Sixteen are looked at together, because this is done for each event.
    @inline(__always)
    private static func areNameBytes(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Bool {
        let memory = UnsafeRawBufferPointer(bytes)
        var index = range.lowerBound
        while index < range.upperBound {
            // The last sixteen begin in the ones before, or with the colon, which is a byte of others here.
            let place = index &+ 16 <= range.upperBound || range.upperBound < 16 ? index : range.upperBound &- 16
            let start = place &+ 16 <= bytes.count ? place : bytes.count &- 16
            guard areNameBytes(memory.loadUnaligned(fromByteOffset: start, as: SIMD2<UInt64>.self)) else {
                return false
            }
            index = place &+ 16
        }
        // A colon is the fifth byte only.
        return find(":", from: bytes.baseAddress! + range.lowerBound, to: bytes.baseAddress! + range.upperBound) == nil
    }

    /// Whether each of sixteen bytes is a letter, a digit, or one of `-_./:`. A sum has a byte's highest bit if the byte, which has
    /// seven bits, is at or above a bound.
    @inline(__always)
    private static func areNameBytes(_ words: SIMD2<UInt64>) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        func atLeast(_ bound: UInt64, _ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
            words &+ SIMD2(repeating: ones &* (0x80 &- bound))
        }
        let lower = words | SIMD2(repeating: ones &* 0x20)
        let letters = atLeast(0x61, lower) & ~atLeast(0x7B, lower)
        // From `-` to `:` are `.`, `/` and the digits.
        let others = atLeast(0x2D, words) & ~atLeast(0x3B, words)
        let underscores = atLeast(0x5F, words) & ~atLeast(0x60, words)
        let found = (letters | others | underscores) & ~words & SIMD2(repeating: ones &* 0x80)
        return found.x & found.y == ones &* 0x80
    }

    private static func isVersion(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        for part in 0..<3 {
            let start = index
            while index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] { index += 1 }
            guard index > start else { return false }
            let hasZero = bytes[start] == UInt8(ascii: "0")
            if hasZero, part == 0 || index > start + 1 { return false }
            if part < 2 {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "-") else { return false }
                index += 1
            }
        }
        return index == bytes.count
    }
}
