import Glibc

/// A strict reader of JSON (RFC 8259).
///
/// It refuses what `JSONDecoder` lets pass and a configuration must not have: duplicate keys, invalid UTF-8, deep nesting,
/// a byte order mark, numbers beyond `Double`, endless runs of combining characters. Every value keeps its place for the
/// errors of those who read on. An error has the path of the keys to it, which costs nothing until there is one.
package struct JSONReader: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private let maximumDepth: Int
    private let allowsTrailingCommas: Bool
    /// The offsets of the braces and brackets that follow a comma.
    private var trailingCommas: [Int] = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, allowsTrailingCommas: Bool) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.allowsTrailingCommas = allowsTrailingCommas
    }

    /// Reads one value and nothing after it.
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - maximumDepth: How many lists and objects may stand within each other.
    /// - Returns: The value with its places.
    /// - Throws: The first fault.
    package static func read(_ text: [UInt8], maximumDepth: Int = 128) throws(JSONError) -> JSONNode {
        try read(text, maximumDepth, allowsTrailingCommas: false).root
    }

    /// Reads one value in which a comma may stand after the last member of an object or the last element of a list.
    /// - Parameter text: UTF-8.
    /// - Returns: The value with its places, and the offsets of the braces and brackets that follow such a comma.
    /// - Throws: The first fault.
    package static func readLeniently(
        _ text: [UInt8]
    ) throws(JSONError) -> (root: JSONNode, trailingCommas: [Int]) {
        try read(text, 128, allowsTrailingCommas: true)
    }

    private static func read(
        _ text: [UInt8], _ maximumDepth: Int, allowsTrailingCommas: Bool
    ) throws(JSONError) -> (root: JSONNode, trailingCommas: [Int]) {
        try checkUTF8(text)
        let result = text.withUnsafeBufferPointer { bytes in
            Result { () throws(JSONError) in
                var reader = JSONReader(
                    bytes, maximumDepth: maximumDepth, allowsTrailingCommas: allowsTrailingCommas)
                reader.skipSpace()
                let node = try reader.value(depth: 0)
                reader.skipSpace()
                guard reader.index == bytes.count else { throw reader.expected("the end of the text") }
                return (node, reader.trailingCommas)
            }
        }
        return try result.get()
    }

    private static func checkUTF8(_ text: [UInt8]) throws(JSONError) {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONError(code: .syntax, reason: "a byte order mark is not allowed", offset: 0)
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span)
        } catch {
            throw JSONError(code: .invalidUTF8, reason: "not valid UTF-8", offset: error.byteOffsets.lowerBound)
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
        guard index < bytes.count else { throw expected("a value") }
        let offset = index
        switch bytes[index] {
        case UInt8(ascii: "{"): return JSONNode(content: .object(try object(depth: depth + 1)), offset: offset)
        case UInt8(ascii: "["): return JSONNode(content: .array(try array(depth: depth + 1)), offset: offset)
        case UInt8(ascii: "\""): return JSONNode(content: .string(try string()), offset: offset)
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"):
            try word("false")
            return JSONNode(content: .bool(false), offset: offset)
        case UInt8(ascii: "n"):
            try word("null")
            return JSONNode(content: .null, offset: offset)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONNode(content: try number(), offset: offset)
        default: throw expected("a value")
        }
        return JSONNode(content: .bool(true), offset: offset)
    }

    private mutating func object(depth: Int) throws(JSONError) -> [JSONNode.Member] {
        try enter(depth)
        var members: [JSONNode.Member] = []
        var names: Set<ExactText> = []
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipSpace()
            let nameOffset = index
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                if try isTrailingComma(before: UInt8(ascii: "}"), hasComma: !members.isEmpty) { break }
                throw expected("a key")
            }
            let name = try string()
            // Few members are compared one by one; hashing them would cost more.
            let isRepeated =
                members.count < 8
                ? members.contains { $0.name.isExactly(name) } : !remember(name, among: members, in: &names)
            if isRepeated {
                throw JSONError(
                    code: .duplicateKey, reason: "the key \(name.excerpt) stands twice", offset: nameOffset,
                    place: name)
            }
            guard take(UInt8(ascii: ":")) else { throw expected("':'") }
            skipSpace()
            do throws(JSONError) {
                members.append(JSONNode.Member(name: name, nameOffset: nameOffset, value: try value(depth: depth)))
            } catch {
                throw error.within(member: name)
            }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw expected("',' or '}'") }
        return members
    }

    private func remember(_ name: String, among members: [JSONNode.Member], in names: inout Set<ExactText>) -> Bool {
        if names.isEmpty { names = Set(members.map { ExactText($0.name) }) }
        return names.insert(ExactText(name)).inserted
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONNode] {
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
        guard take(UInt8(ascii: "]")) else { throw expected("',' or ']'") }
        return elements
    }

    /// Whether the object or the list ends after a comma.
    /// - Throws: An error if it does and must not.
    private mutating func isTrailingComma(before end: UInt8, hasComma: Bool) throws(JSONError) -> Bool {
        guard index < bytes.count, bytes[index] == end, hasComma else { return false }
        guard allowsTrailingCommas else { throw syntax("a comma before '\(Character(UnicodeScalar(end)))'") }
        trailingCommas.append(index)
        return true
    }

    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= maximumDepth else {
            throw JSONError(code: .tooDeep, reason: "nested deeper than \(maximumDepth) levels", offset: index)
        }
        index += 1
    }

    private mutating func string() throws(JSONError) -> String {
        let offset = index
        let text = try unescapedString()
        guard !text.exceedsMaxCombiningMarks else {
            let reason = "more than \(String.maxCombiningMarks) combining characters in a row"
            throw JSONError(code: .syntax, reason: reason, offset: offset)
        }
        return text
    }

    private mutating func unescapedString() throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                return String(decoding: bytes[start..<index], as: UTF8.self)
            case UInt8(ascii: "\\"): return try stringWithEscapes(from: start)
            case 0..<0x20: throw syntax("a control character in a string")
            default: index += 1
            }
        }
        throw syntax("a string without its end")
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
        var text = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            case 0..<0x20: throw syntax("a control character in a string")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw syntax("a string without its end")
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        guard index + 1 < bytes.count else { throw syntax("a string without its end") }
        let letter = bytes[index + 1]
        guard letter != UInt8(ascii: "u") else { return try unicodeEscape() }
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        default:
            index -= 2
            throw syntax("an unknown escape in a string")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> [UInt8] {
        let offset = index
        let unit = try codeUnit()
        if UTF16.isLeadSurrogate(unit), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) { return Array(String(decoding: [unit, second], as: UTF16.self).utf8) }
            throw JSONError(code: .syntax, reason: "half of a surrogate pair in a string", offset: offset)
        }
        guard !UTF16.isSurrogate(unit) else {
            throw JSONError(code: .syntax, reason: "half of a surrogate pair in a string", offset: offset)
        }
        return Array(String(decoding: [unit], as: UTF16.self).utf8)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for place in index + 2..<index + 6 {
            guard place < bytes.count, let digit = Character(UnicodeScalar(bytes[place])).hexDigitValue else {
                throw syntax("an escape of a Unicode character without its four digits")
            }
            unit = unit << 4 | UInt16(digit)
        }
        index += 6
        return unit
    }

    private mutating func number() throws(JSONError) -> JSONNode.Content {
        let start = index
        _ = takeByte(UInt8(ascii: "-"))
        let isZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0, !(isZero && digits > 1) else { throw syntax("not a number") }
        var isInteger = true
        if takeByte(UInt8(ascii: ".")) {
            isInteger = false
            guard skipDigits() > 0 else { throw syntax("not a number") }
        }
        if takeByte(UInt8(ascii: "e")) || takeByte(UInt8(ascii: "E")) {
            isInteger = false
            if !takeByte(UInt8(ascii: "+")) { _ = takeByte(UInt8(ascii: "-")) }
            guard skipDigits() > 0 else { throw syntax("not a number") }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger {
            return Int(text).map(JSONNode.Content.integer) ?? .largeInteger(text)
        }
        guard let value = Double(text), value.isFinite else {
            throw JSONError(code: .numberOutOfRange, reason: "a number too large for JSON readers", offset: start)
        }
        return .number(value)
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while index < bytes.count, bytes[index] >= UInt8(ascii: "0"), bytes[index] <= UInt8(ascii: "9") { index += 1 }
        return index - start
    }

    private mutating func word(_ word: StaticString) throws(JSONError) {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count,
            memcmp(bytes.baseAddress! + index, word.utf8Start, length) == 0
        else { throw expected("a value") }
        index += length
    }

    /// Takes a byte after any space.
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

    private func expected(_ what: String) -> JSONError {
        let next = bytes.dropFirst(index).prefix(2)
        let isComment = next.elementsEqual("//".utf8) || next.elementsEqual("/*".utf8)
        if isComment { return syntax("a comment, which JSON does not have") }
        // Of an empty text, that it ends is no news.
        let isCut = index >= bytes.count && !bytes.isEmpty
        return syntax("expected \(what)" + (isCut ? ", but the text ends here" : ""))
    }

    private func syntax(_ reason: String) -> JSONError {
        JSONError(code: .syntax, reason: reason, offset: index)
    }
}
