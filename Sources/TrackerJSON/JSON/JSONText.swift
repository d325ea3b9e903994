import Glibc

/// A text that was read as JSON: its values in the order in which they stand.
///
/// A value is an entry in one list, so that reading takes no memory of its own for each. A string is made when it is asked
/// for, which keys are not that are only compared.
@usableFromInline
package final class JSONText: Sendable {
    /// A value, or the name of a member, which comes before the member's value.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline
        enum Kind: UInt8, Sendable {
            case null, bool, integer, largeInteger, number, array, object
            /// A string that stands for itself: of ASCII only, or of any characters.
            case ascii, unicode
            /// A string with escapes.
            case escaped
        }

        @usableFromInline let kind: Kind
        /// How many elements or members a list or an object has.
        var count: UInt32 = 0
        /// Where the value begins, in bytes from the start of the text.
        @usableFromInline let offset: Int
        /// The boolean, the integer or the bits of the number; the bytes of a string between its quotation marks; the index
        /// of an escaped string or a large integer among the ``strings``; the index of the entry after a list or an object.
        @usableFromInline var value: Int
    }

    private let bytes: [UInt8]
    @usableFromInline let entries: [Entry]
    private let strings: [String]

    init(bytes: [UInt8] = [], entries: [Entry], strings: [String]) {
        (self.bytes, self.entries, self.strings) = (bytes, entries, strings)
    }

    /// The text of a string or a large integer.
    func string(_ entry: Entry) -> String {
        guard entry.kind == .ascii || entry.kind == .unicode else { return strings[entry.value] }
        return bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[entry.offset + 1..<entry.offset + 1 + entry.value])
            guard entry.kind == .ascii, 1...15 ~= entry.value else {
                return String(copying: UTF8Span(unchecked: text.span, isKnownASCII: entry.kind == .ascii))
            }
            // A third faster for those that need no memory.
            return String(unsafeUninitializedCapacity: entry.value) { target in
                memcpy(target.baseAddress!, text.baseAddress!, entry.value)
                return entry.value
            }
        }
    }

    /// Whether a string is a certain one.
    func isString(at index: Int, _ string: StaticString) -> Bool {
        let entry = entries[index]
        guard entry.kind == .ascii else { return self.string(entry).isExactly(string.description) }
        guard entry.value == string.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            memcmp(bytes.baseAddress! + entry.offset + 1, string.utf8Start, entry.value) == 0
        }
    }

    /// Whether a string is a certain one.
    func isString(at index: Int, _ string: String) -> Bool {
        let entry = entries[index]
        guard entry.kind == .ascii else { return self.string(entry).isExactly(string) }
        guard entry.value == string.utf8.count else { return false }
        var string = string
        return bytes.withUnsafeBufferPointer { bytes in
            string.withUTF8 { memcmp(bytes.baseAddress! + entry.offset + 1, $0.baseAddress!, entry.value) == 0 }
        }
    }

    /// The name of a member, for comparisons.
    func key(at index: Int) -> JSONNode.Key {
        let entry = entries[index]
        guard entry.kind == .ascii else {
            var name = string(entry)
            return name.withUTF8 { JSONNode.Key($0.baseAddress!, $0.count) }
        }
        return bytes.withUnsafeBufferPointer { JSONNode.Key($0.baseAddress! + entry.offset + 1, entry.value) }
    }

    /// A member of an object by the name of another one.
    /// - Returns: Its value and how many members come before it; nil if there is none.
    func member(_ name: Entry, of other: JSONText, in object: Int) -> (value: JSONNode, position: Int)? {
        var (next, position) = (object + 1, 0)
        while next < entries[object].value {
            if areEqual(entries[next], name, of: other) { return (JSONNode(self, next + 1), position) }
            next = entries.end(of: next + 1)
            position += 1
        }
        return nil
    }

    /// The value of a member of an object; nil if there is none of the name.
    func member(_ name: StaticString, of object: Int) -> JSONNode? {
        var next = object + 1
        while next < entries[object].value {
            if isString(at: next, name) { return JSONNode(self, next + 1) }
            next = entries.end(of: next + 1)
        }
        return nil
    }

    /// Whether two strings are equal.
    func areEqual(_ left: Entry, _ right: Entry, of other: JSONText) -> Bool {
        guard left.kind == .ascii, right.kind == .ascii else { return string(left).isExactly(other.string(right)) }
        guard left.value == right.value else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            other.bytes.withUnsafeBufferPointer { others in
                memcmp(
                    bytes.baseAddress! + left.offset + 1, others.baseAddress! + right.offset + 1, left.value) == 0
            }
        }
    }

    /// A value without its places.
    func value(at index: Int) throws(JSONError) -> JSONValue {
        let entry = entries[index]
        switch entry.kind {
        case .null: return .null
        case .bool: return .bool(entry.value != 0)
        case .integer: return .int(entry.value)
        case .number: return .double(entry.number)
        case .ascii, .unicode, .escaped: return .string(string(entry))
        case .largeInteger:
            let digits = string(entry)
            if let integer = JSONValue.LargeInteger(digits) { return .largeInteger(integer) }
            let shown = digits.oneLine(most: 60)
            throw JSONError(
                code: .numberOutOfRange,
                reason: "the integer \(shown) is too large for JSON readers; write it as a string",
                offset: entry.offset)
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(Int(entry.count))
            var next = index + 1
            while next < entry.value {
                elements.append(try value(at: next))
                next = entries.end(of: next)
            }
            return .array(elements)
        case .object:
            var members: [JSONObject.Member] = []
            members.reserveCapacity(Int(entry.count))
            var next = index + 1
            while next < entry.value {
                members.append((string(entries[next]), try value(at: next + 1)))
                next = entries.end(of: next + 1)
            }
            return .object(JSONObject(unique: members))
        }
    }
}

extension JSONText.Entry {
    /// The number, if it is one.
    var number: Double { Double(bitPattern: UInt64(bitPattern: Int64(value))) }

    /// Sets the extent of a list or an object.
    /// - Parameters:
    ///   - index: The index of the entry after it.
    ///   - count: How many elements or members it has.
    mutating func end(_ index: Int, count: Int) {
        value = index
        self.count = UInt32(truncatingIfNeeded: count)
    }

    /// An entry of a number.
    init(_ number: Double, at offset: Int) {
        self.init(kind: .number, offset: offset, value: Int(Int64(bitPattern: number.bitPattern)))
    }
}

extension [JSONText.Entry] {
    /// The index of the entry after a value.
    @inlinable
    @inline(__always)
    func end(of index: Int) -> Int {
        let entry = self[index]
        return entry.kind == .array || entry.kind == .object ? entry.value : index + 1
    }
}
