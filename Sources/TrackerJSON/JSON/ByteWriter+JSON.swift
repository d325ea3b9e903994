import Glibc

extension ByteWriter {
    /// Appends a JSON value as compact text; `null` stands in the place of a number that is not finite.
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
            // An element of an array would be copied, and the references of its texts counted.
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
        // Most are amounts. A number has one decimal form of at most fifteen digits, so this is the shortest.
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
            appendQuotationMark()
            append(bytes, isInString: isInString)
            appendQuotationMark()
        }
    }

    @inline(__always)
    private mutating func appendQuotationMark() {
        if isInString { append(UInt8(ascii: "\\")) }
        append(UInt8(ascii: "\""))
    }

    /// Appends `,"name":"value"`.
    package mutating func append(member name: String, _ value: String) {
        append(UInt8(ascii: ","))
        append(quoted: name)
        append(UInt8(ascii: ":"))
        append(quoted: value)
    }

    /// Appends UTF-8 text with JSON's escapes (RFC 8259, section 7).
    package mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        append(bytes, isInString: false)
    }

    /// Appends UTF-8 text with escapes, which are escaped themselves within a string.
    @inline(__always)
    private mutating func append(_ bytes: UnsafeRawBufferPointer, isInString: Bool) {
        var rest = bytes
        while true {
            let target = UnsafeMutableRawPointer(reserve(rest.count &+ 8))
            let plain = Self.copyPlain(rest, to: target)
            advance(by: plain)
            guard plain < rest.count else { return }
            append(escapeOf: rest[plain], isInString: isInString)
            rest = UnsafeRawBufferPointer(rebasing: rest[(plain &+ 1)...])
        }
    }

    /// Copies bytes up to the first that needs an escape, eight at a time; of the last ones, spaces follow.
    /// - Returns: How many.
    @inline(__always)
    private static func copyPlain(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int {
        var index = 0
        while index < bytes.count {
            let left = bytes.count &- index
            let word =
                left >= 8
                ? UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                : lastWord(bytes, left)
            target.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
            let stops = word.bytesToEscape
            guard stops == 0 else { return index &+ stops.trailingZeroBitCount / 8 }
            index &+= 8
        }
        return bytes.count
    }

    /// The last bytes, fewer than eight, and spaces after them.
    @inline(__always)
    private static func lastWord(_ bytes: UnsafeRawBufferPointer, _ left: Int) -> UInt64 {
        let spaces: UInt64 = 0x2020_2020_2020_2020 << UInt64(8 &* left)
        if bytes.count >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
            return UInt64(littleEndian: word) >> UInt64(8 &* (8 &- left)) | spaces
        }
        if left >= 4 {
            let low = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
            let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: left &- 4, as: UInt32.self))
            return UInt64(low) | UInt64(high) << UInt64(8 &* (left &- 4)) | spaces
        }
        let middle = UInt64(bytes[left / 2]) << UInt64(8 &* (left / 2))
        return UInt64(bytes[0]) | middle | UInt64(bytes[left &- 1]) << UInt64(8 &* (left &- 1)) | spaces
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
