import TrackerPlatform

extension ByteWriter {
    /// Appends a JSON value as compact text; a number that is not finite becomes `null`.
    package mutating func append(json value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(true): append("true")
        case .bool(false): append("false")
        case .int(let number): append(decimal: Int64(number))
        case .double(let number): append(json: number)
        case .string(let text): append(quoted: text)
        case .array(let elements):
            append(UInt8(ascii: "["))
            // Buffer access avoids copies of the elements and their reference counting.
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

    /// Appends a JSON object as compact text; a number that is not finite becomes `null`.
    package mutating func append(json object: JSONObject) {
        append(UInt8(ascii: "{"))
        object.members.withUnsafeBufferPointer { members in
            for index in members.indices {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(quoted: members[index].name)
                append(UInt8(ascii: ":"))
                append(json: members[index].value)
            }
        }
        append(UInt8(ascii: "}"))
    }

    /// Appends a number as `Double.description` does, or `null` if it is not finite.
    private mutating func append(json number: Double) {
        guard number.isFinite else { return append("null") }
        // Fast path for amounts: a decimal form of at most fifteen digits is unique, so it is the shortest.
        let hundredths = (number * 100).rounded()
        guard hundredths.magnitude < 1e15, hundredths / 100 == number, hundredths != 0 else {
            return append(raw: number.description)
        }
        if number < 0 { append(UInt8(ascii: "-")) }
        let (amount, part) = Int64(hundredths.magnitude).quotientAndRemainder(dividingBy: 100)
        append(decimal: amount)
        append(UInt8(ascii: "."))
        append(decimal: part / 10)
        if part % 10 > 0 { append(decimal: part % 10) }
    }

    /// Appends a text as a JSON string.
    @inline(__always)
    package mutating func append(quoted text: String) {
        text.withBytes { bytes in
            // The quotation mark, with a backslash before it if the text is within a string.
            let (mark, length): (UInt16, Int) = isInString ? (0x225C, 2) : (0x22, 1)
            let target = UnsafeMutableRawPointer(reserve(bytes.count &+ 12))
            target.storeBytes(of: mark.littleEndian, as: UInt16.self)
            if Self.copyPlain(bytes, to: target + length) {
                target.storeBytes(of: mark.littleEndian, toByteOffset: length &+ bytes.count, as: UInt16.self)
                advance(by: 2 &* length &+ bytes.count)
            } else {
                advance(by: length)
                append(escaping: bytes, isInString: isInString)
                append(isInString ? "\\\"" : "\"")
            }
        }
    }

    /// Appends `,"name":"value"`.
    package mutating func append(member name: String, _ value: String) {
        append(UInt8(ascii: ","))
        append(quoted: name)
        append(UInt8(ascii: ":"))
        append(quoted: value)
    }

    /// Appends UTF-8 text with JSON's escapes (RFC 8259, section 7); within a string the escapes are escaped again.
    package mutating func append(escaping bytes: UnsafeRawBufferPointer, isInString: Bool = false) {
        for byte in bytes {
            if byte.needsEscape {
                append(escapeOf: byte, isInString: isInString)
            } else {
                append(byte)
            }
        }
    }

    /// Copies bytes, eight at a time; pads fewer than eight with spaces.
    /// - Returns: Whether no byte needs an escape.
    @inline(__always)
    private static func copyPlain(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Bool {
        if bytes.count < 8 {
            let word = shortWord(bytes)
            target.storeBytes(of: word.littleEndian, as: UInt64.self)
            return word.bytesToEscape == 0
        }
        // The last eight bytes overlap the eight before.
        let last = bytes.count &- 8
        var (index, stops) = (0, UInt64(0))
        while true {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            target.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
            stops |= word.bytesToEscape
            if index == last { return stops == 0 }
            index = min(index &+ 8, last)
        }
    }

    /// Fewer than eight bytes, padded with spaces.
    @inline(__always)
    private static func shortWord(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        let spaces: UInt64 = 0x2020_2020_2020_2020 << UInt64(8 &* count)
        if count >= 4 {
            let low = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
            let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(low) | UInt64(high) << UInt64(8 &* (count &- 4)) | spaces
        }
        if count == 0 { return spaces }
        let middle = UInt64(bytes[count / 2]) << UInt64(8 &* (count / 2))
        return UInt64(bytes[0]) | middle | UInt64(bytes[count &- 1]) << UInt64(8 &* (count &- 1)) | spaces
    }

    @inline(never)
    private mutating func append(escapeOf byte: UInt8, isInString: Bool) {
        append(isInString ? #"\\"# : #"\"#)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            if isInString { append(#"\"#) }
            append(byte)
        case 0x0A: append("n")
        case 0x0D: append("r")
        case 0x09: append("t")
        default:
            append("u00")
            append(Self.hexadecimalDigit(byte >> 4))
            append(Self.hexadecimalDigit(byte & 15))
        }
    }

    /// The lower-case digit of 0 … 15.
    @inline(__always)
    package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value
    }
}
