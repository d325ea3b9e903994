import Glibc

/// A strict reader of JSON (RFC 8259).
///
/// It refuses what `JSONDecoder` lets pass and a configuration must not have: duplicate keys, invalid UTF-8, deep nesting,
/// a byte order mark, numbers beyond `Double`, endless runs of combining characters. Every value keeps its place for errors that
/// are found later. An error has the path of the keys to it, which costs nothing until there is one.
package struct JSONReader: ~Copyable {
    let bytes: UnsafePointer<UInt8>
    let count: Int
    var index = 0
    let text: [UInt8]
    private var entries: [JSONText.Entry] = []
    private var strings: [String] = []
    /// The bytes of a string with escapes.
    var unescaped: [UInt8] = []
    private let maximumDepth: Int
    private let allowsTrailingCommas: Bool
    /// The offsets of the braces and brackets that follow a comma.
    private var trailingCommas: [Int] = []

    private init(_ text: [UInt8], _ bytes: UnsafePointer<UInt8>, maximumDepth: Int, allowsTrailingCommas: Bool) {
        self.bytes = bytes
        count = text.count
        self.text = text
        entries.reserveCapacity(text.count / 8)
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
        do throws(JSONError) {
            return try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                // An empty text has no bytes to point to, and none is looked at.
                var reader = JSONReader(
                    text, bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!, maximumDepth: maximumDepth,
                    allowsTrailingCommas: allowsTrailingCommas)
                reader.skipSpace()
                try reader.value(depth: 0)
                reader.skipSpace()
                guard reader.index == reader.count else { throw reader.expected(.end) }
                let read = JSONText(bytes: text, entries: reader.entries, strings: reader.strings)
                return (JSONNode(read, 0), reader.trailingCommas)
            }
        } catch {
            // Strings are checked as they are read, but a text that is not UTF-8 has no other fault.
            try checkUTF8(text)
            throw error
        }
    }

    private static func checkUTF8(_ text: [UInt8]) throws(JSONError) {
        if let reason = reason(ofFirstBytes: text) { throw JSONError(code: .syntax, reason: reason, offset: 0) }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span)
        } catch {
            throw JSONError(code: .invalidUTF8, reason: "not valid UTF-8", offset: error.byteOffsets.lowerBound)
        }
    }

    private mutating func value(depth: Int) throws(JSONError) {
        guard index < count else { throw expected(.value) }
        switch bytes[index] {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true", .bool, 1)
        case UInt8(ascii: "f"): try word("false", .bool, 0)
        case UInt8(ascii: "n"): try word("null", .null, 0)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw expected(.value)
        }
    }

    private mutating func object(depth: Int) throws(JSONError) {
        let own = entries.count
        add(.object, at: index, 0)
        try enter(depth)
        var names = MemberNames()
        defer { entries[own].end(entries.count, count: names.count) }
        if take(UInt8(ascii: "}")) { return }
        repeat {
            skipSpace()
            guard index < count, bytes[index] == UInt8(ascii: "\"") else {
                if try isTrailingComma(before: UInt8(ascii: "}"), hasComma: names.count > 0) { break }
                throw expected(.key, in: entries[own].offset)
            }
            let name = entries.count
            try string()
            if isRepeated(name, from: own + 1, &names) {
                let text = string(at: name)
                throw JSONError(
                    code: .duplicateKey, reason: "duplicate key \(text.excerpt)", offset: entries[name].offset,
                    place: text)
            }
            guard take(UInt8(ascii: ":")) else { throw expected(.colon) }
            skipSpace()
            do throws(JSONError) {
                try value(depth: depth)
            } catch {
                throw error.within(member: string(at: name))
            }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw expected(.memberEnd, in: entries[own].offset) }
    }

    /// The names of an object's members so far.
    private struct MemberNames {
        var count = 0
        /// A bit for the length and the ends of each.
        var bits: UInt64 = 0
        /// All of them, if they are many.
        var all: Set<ExactText> = []
    }

    /// Whether a member before has the same name.
    private func isRepeated(_ name: Int, from first: Int, _ names: inout MemberNames) -> Bool {
        defer { names.count += 1 }
        // Few are compared one by one; hashing them would cost more.
        guard names.count < 32 else { return !remember(name, from: first, in: &names.all) }
        let entry = entries[name]
        guard entry.kind == .ascii, entry.value > 0 else {
            // The names that follow may be equal to it.
            names.bits = .max
            return isRepeated(name, from: first)
        }
        let ends = Int(bytes[entry.offset + 1]) &* 5 &+ Int(bytes[entry.offset + entry.value])
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: (entry.value &* 7 &+ ends) & 63)
        defer { names.bits |= bit }
        return names.bits & bit != 0 && isRepeated(name, from: first)
    }

    private func isRepeated(_ name: Int, from first: Int) -> Bool {
        let entry = entries[name]
        var place = first
        while place < name {
            let other = entries[place]
            if entry.kind != .ascii || other.kind != .ascii {
                if string(at: place).isExactly(string(at: name)) { return true }
            } else if entry.value == other.value, areEqual(entry.offset + 1, other.offset + 1, entry.value) {
                return true
            }
            place = entries.end(of: place + 1)
        }
        return false
    }

    private func areEqual(_ left: Int, _ right: Int, _ count: Int) -> Bool {
        memcmp(bytes + left, bytes + right, count) == 0
    }

    private func remember(_ name: Int, from first: Int, in names: inout Set<ExactText>) -> Bool {
        if names.isEmpty {
            // An object of so many has more.
            names.reserveCapacity(256)
            var place = first
            while place < name {
                names.insert(ExactText(string(at: place)))
                place = entries.end(of: place + 1)
            }
        }
        return names.insert(ExactText(string(at: name))).inserted
    }

    private func string(at index: Int) -> String {
        JSONText(bytes: text, entries: entries, strings: strings).string(entries[index])
    }

    private mutating func array(depth: Int) throws(JSONError) {
        let own = entries.count
        add(.array, at: index, 0)
        try enter(depth)
        var number = 0
        defer { entries[own].end(entries.count, count: number) }
        if take(UInt8(ascii: "]")) { return }
        repeat {
            skipSpace()
            if index < count, bytes[index] == UInt8(ascii: "]"),
                try isTrailingComma(before: UInt8(ascii: "]"), hasComma: number > 0)
            {
                break
            }
            do throws(JSONError) {
                try value(depth: depth)
            } catch {
                throw error.within(element: number)
            }
            number += 1
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw expected(.elementEnd, in: entries[own].offset) }
    }

    mutating func add(_ entry: JSONText.Entry) { entries.append(entry) }

    mutating func add(_ kind: JSONText.Entry.Kind, at offset: Int, _ value: Int) {
        add(JSONText.Entry(kind: kind, offset: offset, value: value))
    }

    mutating func add(_ kind: JSONText.Entry.Kind, at offset: Int, _ string: String) {
        add(kind, at: offset, strings.count)
        strings.append(string)
    }

    /// Whether the object or the list ends after a comma.
    /// - Throws: An error if it does and must not.
    private mutating func isTrailingComma(before end: UInt8, hasComma: Bool) throws(JSONError) -> Bool {
        guard index < count, bytes[index] == end, hasComma else { return false }
        guard allowsTrailingCommas else { throw syntax("remove the comma before '\(Character(UnicodeScalar(end)))'") }
        trailingCommas.append(index)
        return true
    }

    @inline(__always)
    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= maximumDepth else {
            throw JSONError(code: .tooDeep, reason: "nested deeper than \(maximumDepth) levels", offset: index)
        }
        index += 1
    }

    private mutating func word(
        _ word: StaticString, _ kind: JSONText.Entry.Kind, _ value: Int
    ) throws(JSONError) {
        let length = word.utf8CodeUnitCount
        guard index + length <= count,
            memcmp(bytes + index, word.utf8Start, length) == 0
        else { throw expected(.value) }
        add(kind, at: index, value)
        index += length
    }

    /// Takes a byte after any space.
    @inline(__always)
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        return takeByte(byte)
    }

    @inline(__always)
    mutating func takeByte(_ byte: UInt8) -> Bool {
        guard index < count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    @inline(__always)
    private mutating func skipSpace() {
        // Most documents are written without.
        if index < count, bytes[index] <= 0x20 { skipSpaces() }
    }

    private mutating func skipSpaces() {
        while index < count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }
}
