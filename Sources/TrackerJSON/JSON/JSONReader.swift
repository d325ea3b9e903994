import TrackerPlatform

/// A strict reader of JSON (RFC 8259).
///
/// It rejects text that `JSONDecoder` accepts but a configuration must not contain: duplicate keys, invalid UTF-8, deep
/// nesting, a byte order mark, numbers beyond `Double`, endless runs of combining characters. Every value keeps its
/// offset for later errors. The path of keys is built only for an error.
package struct JSONReader: ~Copyable {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0
    private let maximumDepth: Int
    private let allowsTrailingCommas: Bool
    /// Whether a string may have any number of combining characters in a row.
    let allowsAllTexts: Bool
    /// The offsets of the braces and brackets that follow a comma.
    private var trailingCommas: [Int] = []

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, allowsTrailingCommas: Bool, allowsAllTexts: Bool
    ) {
        (self.bytes, self.maximumDepth) = (bytes, maximumDepth)
        (self.allowsTrailingCommas, self.allowsAllTexts) = (allowsTrailingCommas, allowsAllTexts)
    }

    /// Reads a text that consists of one value.
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - maximumDepth: The maximum nesting depth of lists and objects.
    /// - Returns: The value with its offsets.
    /// - Throws: The first fault.
    package static func read(_ text: [UInt8], maximumDepth: Int = 128) throws(JSONError) -> JSONNode {
        try read(text, maximumDepth: maximumDepth, allowsTrailingCommas: false).root
    }

    /// Reads a text that the SDK or an encoder has written: values that a document cannot have, such as a client's text
    /// in an event, are in it too.
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - maximumDepth: The maximum nesting depth; by default that of a document within a status or an event.
    /// - Returns: The value with its offsets.
    /// - Throws: The first fault.
    package static func read(written text: [UInt8], maximumDepth: Int = 256) throws(JSONError) -> JSONNode {
        try read(text, maximumDepth: maximumDepth, allowsTrailingCommas: false, allowsAllTexts: true).root
    }

    /// Reads a text that consists of one value.
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - maximumDepth: The maximum nesting depth of lists and objects.
    ///   - allowsTrailingCommas: Whether a comma may follow the last member of an object or the last element of a list.
    ///   - allowsAllTexts: Whether a string may have any number of combining characters in a row; false by default.
    /// - Returns: The value with its offsets, and the offsets of the braces and brackets that follow such a comma.
    /// - Throws: The first fault.
    package static func read(
        _ text: [UInt8], maximumDepth: Int = 128, allowsTrailingCommas: Bool, allowsAllTexts: Bool = false
    ) throws(JSONError) -> (root: JSONNode, trailingCommas: [Int]) {
        try checkEncoding(text)
        return try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            var reader = JSONReader(
                bytes, maximumDepth: maximumDepth, allowsTrailingCommas: allowsTrailingCommas,
                allowsAllTexts: allowsAllTexts)
            reader.skipSpace()
            let root = try reader.value(depth: 0)
            reader.skipSpace()
            guard reader.index == bytes.count else { throw reader.expected("the end of the text") }
            return (root, reader.trailingCommas)
        }
    }

    /// Invalid UTF-8 is reported before any other fault.
    private static func checkEncoding(_ text: [UInt8]) throws(JSONError) {
        if let reason = reason(ofFirstBytes: text) { throw JSONError(code: .syntax, reason: reason, offset: 0) }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span)
        } catch {
            throw JSONError(code: .invalidUTF8, reason: "not valid UTF-8", offset: error.byteOffsets.lowerBound)
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
        guard index < bytes.count else { throw expected("a value") }
        let offset = index
        let content: JSONNode.Content =
            switch bytes[index] {
            case UInt8(ascii: "{"): .object(try object(depth: depth + 1))
            case UInt8(ascii: "["): .array(try array(depth: depth + 1))
            case UInt8(ascii: "\""): .string(try string())
            case UInt8(ascii: "t"): try word("true", .bool(true))
            case UInt8(ascii: "f"): try word("false", .bool(false))
            case UInt8(ascii: "n"): try word("null", .null)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            default: throw noValue
            }
        return JSONNode(content: content, offset: offset)
    }

    private mutating func object(depth: Int) throws(JSONError) -> [JSONNode.Member] {
        let start = index
        try enter(depth)
        var members: [JSONNode.Member] = []
        if take(UInt8(ascii: "}")) { return members }
        var names: Set<ExactText> = []
        repeat {
            skipSpace()
            let offset = index
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                if try isTrailingComma(before: UInt8(ascii: "}"), hasComma: !members.isEmpty) { break }
                throw noKey(inObjectFrom: start)
            }
            let name = try string()
            guard Self.isNew(name, members, &names) else {
                let reason = "duplicate key \(name.excerpt)"
                throw JSONError(code: .duplicateKey, reason: reason, offset: offset, place: name)
            }
            guard take(UInt8(ascii: ":")) else { throw expected("':'") }
            skipSpace()
            do throws(JSONError) {
                members.append(JSONNode.Member(name: name, nameOffset: offset, value: try value(depth: depth)))
            } catch {
                throw error.within(member: name)
            }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw noMemberEnd(inObjectFrom: start) }
        return members
    }

    /// Whether no earlier member has the name.
    private static func isNew(_ name: String, _ members: [JSONNode.Member], _ names: inout Set<ExactText>) -> Bool {
        // For a few members, comparing is cheaper than hashing.
        if members.count < 16 { return members.place(of: name) == nil }
        if names.isEmpty { names = Set(members.map { ExactText($0.name) }) }
        return names.insert(ExactText(name)).inserted
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONNode] {
        let start = index
        try enter(depth)
        var elements: [JSONNode] = []
        if take(UInt8(ascii: "]")) { return elements }
        repeat {
            skipSpace()
            if try isTrailingComma(before: UInt8(ascii: "]"), hasComma: !elements.isEmpty) { break }
            do throws(JSONError) {
                elements.append(try value(depth: depth))
            } catch {
                throw error.within(element: elements.count)
            }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw noElementEnd(inListFrom: start) }
        return elements
    }

    /// Returns whether the object or the list ends after a comma.
    /// - Throws: An error if it does and trailing commas are not allowed.
    private mutating func isTrailingComma(before end: UInt8, hasComma: Bool) throws(JSONError) -> Bool {
        guard hasComma, index < bytes.count, bytes[index] == end else { return false }
        guard allowsTrailingCommas else { throw syntax("remove the comma before '\(Character(UnicodeScalar(end)))'") }
        trailingCommas.append(index)
        return true
    }

    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= maximumDepth else {
            throw JSONError(code: .tooDeep, reason: "nested deeper than \(maximumDepth) levels", offset: index)
        }
        index += 1
    }

    private mutating func word(
        _ word: StaticString, _ content: JSONNode.Content
    ) throws(JSONError) -> JSONNode.Content {
        let length = word.utf8CodeUnitCount
        guard bytes.count - index >= length, memcmp(bytes.baseAddress! + index, word.utf8Start, length) == 0 else {
            throw noValue
        }
        index += length
        return content
    }

    private mutating func number() throws(JSONError) -> JSONNode.Content {
        let start = index
        let isNegative = takeByte(UInt8(ascii: "-"))
        let isZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
        let (digits, whole) = takeDigits()
        guard whole > 0 else { throw badNumber(from: start) }
        guard whole == 1 || !isZero else { throw syntax("a number cannot begin with 0") }
        var isInteger = true
        if takeByte(UInt8(ascii: ".")) {
            isInteger = false
            guard takeDigits().count > 0 else { throw badNumber(from: start) }
        }
        if takeByte(UInt8(ascii: "e")) || takeByte(UInt8(ascii: "E")) {
            isInteger = false
            if !takeByte(UInt8(ascii: "+")) { _ = takeByte(UInt8(ascii: "-")) }
            guard takeDigits().count > 0 else { throw badNumber(from: start) }
        }
        if isInteger, whole <= 18 { return .integer(isNegative ? -digits : digits) }
        let number = text(start..<index)
        if isInteger, let integer = Int(number) { return .integer(integer) }
        guard let value = Double(number), value.isFinite else {
            let reason = "the number is too large for JSON readers; write it as a string"
            throw JSONError(code: .numberOutOfRange, reason: reason, offset: start)
        }
        return .number(value)
    }

    /// Reads digits.
    /// - Returns: Their value, which is meaningless beyond eighteen digits, and their number.
    private mutating func takeDigits() -> (value: Int, count: Int) {
        let start = index
        var value = 0
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ Int(digit)
            index += 1
        }
        return (value, index - start)
    }

    /// A part of the text.
    func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    /// Skips space and takes the byte if it is next.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        return takeByte(byte)
    }

    private mutating func takeByte(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }
}
