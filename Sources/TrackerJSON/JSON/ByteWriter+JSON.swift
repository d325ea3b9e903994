extension ByteWriter {
    /// Appends a JSON value as compact text; `null` stands in the place of a number that is not finite.
    package mutating func append(json value: JSONValue) {
        if !appendPlain({ $0.write(value) }) { escaped { $0.appendEach(value) } }
    }

    /// Appends a JSON object as compact text; `null` stands in the place of a number that is not finite.
    package mutating func append(json object: JSONObject) {
        if !appendPlain({ $0.write(object) }) { escaped { $0.appendEach(.object(object)) } }
    }

    /// Appends a text as a JSON string.
    package mutating func append(quoted text: String) {
        if appendPlain({ $0.write(text) }) { return }
        escaped { writer in
            writer.append(UInt8(ascii: "\""))
            text.withBytes { writer.append(escapingEach: $0) }
            writer.append(UInt8(ascii: "\""))
        }
    }

    /// Appends `,"name":"value"`.
    package mutating func append(member name: String, _ value: String) {
        if appendPlain({ $0.write(name, value) }) { return }
        append(UInt8(ascii: ","))
        append(quoted: name)
        append(UInt8(ascii: ":"))
        append(quoted: value)
    }

    /// Appends what `body` writes as if no text needed an escape.
    /// - Parameter body: Writes JSON, and returns whether there was room.
    /// - Returns: Whether none needs one; nothing is appended otherwise.
    @inline(__always)
    private mutating func appendPlain(_ body: (inout JSONCursor) -> Bool) -> Bool {
        while true {
            var cursor = JSONCursor(at: start + count, end: start + capacity, isInString: isInString)
            if body(&cursor) {
                guard cursor.isPlain(from: start + count) else { return false }
                count = cursor.place - UnsafeMutableRawPointer(start)
                return true
            }
            let length = count
            count = capacity
            _ = reserve(capacity)
            count = length
        }
    }

    /// Appends what `body` writes, with escapes if it stands within a string.
    private mutating func escaped(_ body: (inout ByteWriter) -> Void) {
        guard isInString else { return body(&self) }
        var writer = ByteWriter(capacity: 256)
        body(&writer)
        append(escaping: writer.bytes)
    }

    /// Appends a value with a look at each text by itself.
    private mutating func appendEach(_ value: JSONValue) {
        switch value {
        case .array(let elements):
            append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendEach(element)
            }
            append(UInt8(ascii: "]"))
        case .object(let object):
            append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(quoted: member.name)
                append(UInt8(ascii: ":"))
                appendEach(member.value)
            }
            append(UInt8(ascii: "}"))
        case .string(let text): append(quoted: text)
        case .null, .bool, .int, .largeInteger, .double: append(json: value)
        }
    }
}

extension ByteWriter {
    /// Appends UTF-8 text with JSON's escapes (RFC 8259, section 7).
    package mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        if !appendPlain({ $0.write(bytes) }) { append(escapingEach: bytes) }
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

    /// The lower-case digit of 0 … 15.
    @inline(__always)
    package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value
    }

    /// The eight lower-case digits of each of two numbers of 32 bits, the first in the lowest byte.
    package static func hexadecimalDigits(_ numbers: SIMD2<UInt64>) -> SIMD2<UInt64> {
        func all(_ word: UInt64) -> SIMD2<UInt64> { SIMD2(repeating: word) }
        // A byte in each 16 bits, then half a byte in each eight, the upper half first.
        var digits = SIMD2(numbers.x.byteSwapped &>> 32, numbers.y.byteSwapped &>> 32)
        digits = (digits | digits &<< all(16)) & all(0x0000_FFFF_0000_FFFF)
        digits = (digits | digits &<< all(8)) & all(0x00FF_00FF_00FF_00FF)
        digits = (digits &>> all(4) | digits &<< all(8)) & all(0x0F0F_0F0F_0F0F_0F0F)
        // One in each byte that is above nine, which becomes the distance from there to the letters.
        let letters = (digits &+ all(0x0606_0606_0606_0606)) &>> all(4) & all(0x0101_0101_0101_0101)
        let distance = (letters &<< all(5)) &+ (letters &<< all(3)) &- letters
        return digits &+ all(0x3030_3030_3030_3030) &+ distance
    }
}
