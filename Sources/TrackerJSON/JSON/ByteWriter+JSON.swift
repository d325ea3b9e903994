extension ByteWriter {
    /// Appends a JSON value as compact text; `null` stands in the place of a number that is not finite.
    package mutating func append(json value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(true): append("true")
        case .bool(false): append("false")
        case .int(let number): append(decimal: Int64(number))
        case .largeInteger(let number): append(raw: number.digits)
        case .double(let number): append(json: number)
        case .string(let text): append(quoted: text)
        case .array(let elements):
            append(UInt8(ascii: "["))
            elements.withUnsafeBufferPointer { elements in
                for index in elements.indices {
                    if index > 0 { append(UInt8(ascii: ",")) }
                    append(json: elements[index])
                }
            }
            append(UInt8(ascii: "]"))
        case .object(let object): append(json: object)
        }
    }

    /// Appends a JSON object as compact text; `null` stands in the place of a number that is not finite.
    package mutating func append(json object: JSONObject) {
        guard !object.isEmpty else { return append("{}") }
        var separator = UInt8(ascii: "{")
        // An element of an array would be copied, and the references of its texts counted.
        object.members.withUnsafeBufferPointer { members in
            for index in members.indices {
                members[index].name.withBytes { append(quoting: $0, after: separator, before: UInt8(ascii: ":")) }
                append(json: members[index].value)
                separator = UInt8(ascii: ",")
            }
        }
        append(UInt8(ascii: "}"))
    }

    /// Appends a number as `Double.description` writes it, or `null` if it is not finite.
    private mutating func append(json number: Double) {
        guard number.isFinite else { return append("null") }
        // Most are amounts. A number has one decimal form of at most fifteen digits, so this is the shortest.
        let hundredths = (number * 100).rounded()
        guard hundredths.magnitude < 1e15, hundredths / 100 == number, hundredths != 0 else {
            return append(raw: number.description)
        }
        let (whole, part) = UInt64(hundredths.magnitude).quotientAndRemainder(dividingBy: 100)
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: Int64(whole))
        append(UInt8(ascii: "."))
        append(UInt8(ascii: "0") &+ UInt8(part / 10))
        if part % 10 > 0 { append(UInt8(ascii: "0") &+ UInt8(part % 10)) }
    }

    /// Appends a text as a JSON string.
    package mutating func append(quoted text: String) {
        text.withBytes { append(quoting: $0) }
    }

    /// Appends a text as a JSON string.
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - first: What comes before it.
    ///   - last: What comes after it.
    @inline(__always)
    private mutating func append(
        quoting bytes: UnsafeRawBufferPointer, after first: UInt8? = nil, before last: UInt8? = nil
    ) {
        var target = reserve(bytes.count &+ 4)
        if let first {
            target.pointee = first
            target += 1
        }
        target.pointee = UInt8(ascii: "\"")
        target += 1
        advance(by: first == nil ? 1 : 2)
        if Self.copy(bytes, to: target) {
            target += bytes.count
            advance(by: bytes.count)
        } else {
            append(escapingEach: bytes)
            target = reserve(2)
        }
        target.pointee = UInt8(ascii: "\"")
        if let last { target[1] = last }
        advance(by: last == nil ? 1 : 2)
    }

    /// Appends UTF-8 text with JSON's escapes (RFC 8259, section 7).
    package mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        if Self.copy(bytes, to: reserve(bytes.count)) {
            advance(by: bytes.count)
        } else {
            append(escapingEach: bytes)
        }
    }

    private mutating func append(escapingEach bytes: UnsafeRawBufferPointer) {
        // Six bytes for each is the worst case.
        var target = reserve(bytes.count &* 6)
        let first = target
        for byte in bytes {
            if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                target.pointee = byte
                target += 1
                continue
            }
            target[0] = UInt8(ascii: "\\")
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): target[1] = byte
            case 0x0A: target[1] = UInt8(ascii: "n")
            case 0x0D: target[1] = UInt8(ascii: "r")
            case 0x09: target[1] = UInt8(ascii: "t")
            default:
                target[1] = UInt8(ascii: "u")
                target[2] = UInt8(ascii: "0")
                target[3] = UInt8(ascii: "0")
                target[4] = UInt8(ascii: "0") + byte >> 4
                target[5] = Self.hexadecimalDigit(byte & 15)
                target += 4
            }
            target += 2
        }
        advance(by: target - first)
    }

    /// Copies bytes up to the first that needs an escape, and perhaps not all before it.
    ///
    /// Most texts need none: then this is all. Most are short, so that a call of `memcpy` would cost more than the copy.
    /// - Returns: Whether none needs an escape, and all were copied.
    @inline(__always)
    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        let target = UnsafeMutableRawPointer(target)
        let count = bytes.count
        // Both ends at a time, which may overlap.
        if count >= 16 {
            let last = count &- 16
            var index = 0
            while true {
                let words = bytes.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
                if hasEscape(words) { return false }
                target.storeBytes(of: words, toByteOffset: index, as: SIMD2<UInt64>.self)
                if index == last { return true }
                index = min(index &+ 16, last)
            }
        } else if count >= 8 {
            return copyEnds(bytes, to: target, as: UInt64.self)
        } else if count >= 4 {
            return copyEnds(bytes, to: target, as: UInt32.self)
        } else if count >= 2 {
            return copyEnds(bytes, to: target, as: UInt16.self)
        } else if count == 1 {
            return copyEnds(bytes, to: target, as: UInt8.self)
        }
        return true
    }

    /// Copies bytes that are no more than two words, and no less than one.
    @inline(__always)
    private static func copyEnds<Word: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer, as type: Word.Type
    ) -> Bool {
        let last = bytes.count &- MemoryLayout<Word>.size
        let start = bytes.loadUnaligned(as: Word.self)
        let end = bytes.loadUnaligned(fromByteOffset: last, as: Word.self)
        // What a smaller word lacks is filled with ones, which need no escape.
        let padding = ~UInt64(truncatingIfNeeded: ~Word(0))
        if hasEscape(SIMD2(UInt64(truncatingIfNeeded: start) | padding, UInt64(truncatingIfNeeded: end) | padding)) {
            return false
        }
        target.storeBytes(of: start, as: Word.self)
        target.storeBytes(of: end, toByteOffset: last, as: Word.self)
        return true
    }

    /// Whether one of sixteen bytes is a control character, a quotation mark or a backslash.
    ///
    /// By the test for a byte that is less than n of https://graphics.stanford.edu/~seander/bithacks.html. With a bit
    /// flipped, a quotation mark comes right after the control characters.
    @inline(__always)
    private static func hasEscape(_ words: SIMD2<UInt64>) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = (words ^ SIMD2(repeating: ones &* 0x02)) &- SIMD2(repeating: ones &* 0x21)
        let backslash = (words ^ SIMD2(repeating: ones &* 0x5C)) &- SIMD2(repeating: ones)
        let found = (control | backslash) & ~words & SIMD2(repeating: ones &* 0x80)
        return found.x | found.y != 0
    }

    /// The lower-case digit of 0 … 15.
    @inline(__always)
    package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value
    }

    /// The eight lower-case digits of a number, the first in the lowest byte.
    package static func hexadecimalDigits(_ number: UInt32) -> UInt64 {
        // A byte in each 16 bits, then half a byte in each eight, the upper half first.
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // One in each byte that is above nine.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
    }
}
