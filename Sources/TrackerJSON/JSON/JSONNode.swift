/// A JSON value with the place where it stands in its text.
@usableFromInline
package struct JSONNode: Sendable {
    /// What the value is.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number without fraction or exponent.
        case integer(Int)
        /// The digits of such a number that does not fit into 64 bits.
        case largeInteger(String)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object(Members)
    }

    @usableFromInline let text: JSONText
    @usableFromInline let index: Int

    @inlinable
    @inline(__always)
    init(_ text: JSONText, _ index: Int) {
        (self.text, self.index) = (text, index)
    }

    @inlinable var entry: JSONText.Entry {
        @inline(__always) get { text.entries[index] }
    }

    /// Where the value begins, in bytes from the start of the text.
    @inlinable package var offset: Int {
        @inline(__always) get { entry.offset }
    }

    /// Whether the value is null.
    @inlinable package var isNull: Bool {
        @inline(__always) get { entry.kind == .null }
    }

    /// What the value is; strings and lists are made each time.
    package var content: Content {
        switch entry.kind {
        case .null: .null
        case .bool: .bool(entry.value != 0)
        case .integer: .integer(entry.value)
        case .largeInteger: .largeInteger(text.string(entry))
        case .number: .number(entry.number)
        case .ascii, .unicode, .escaped: .string(text.string(entry))
        case .array: .array(elements)
        case .object: .object(Members(self))
        }
    }

    private var elements: [JSONNode] {
        var elements: [JSONNode] = []
        elements.reserveCapacity(Int(entry.count))
        var next = index + 1
        while next < entry.value {
            elements.append(JSONNode(text, next))
            next = text.entries.end(of: next)
        }
        return elements
    }

    /// The string; nil if the value is no string.
    package var string: String? {
        switch entry.kind {
        case .ascii, .unicode, .escaped: text.string(entry)
        default: nil
        }
    }

    /// The boolean; nil if the value is no boolean.
    package var bool: Bool? { entry.kind == .bool ? entry.value != 0 : nil }

    /// The members; nil if the value is no object.
    @inlinable package var members: Members? {
        @inline(__always) get { entry.kind == .object ? Members(self) : nil }
    }

    /// What the value is, as an error names it: "a string", "null".
    package var kind: String {
        switch entry.kind {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .largeInteger, .number: "a number"
        case .ascii, .unicode, .escaped: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value without its places.
    /// - Throws: A ``JSONError`` with the offset of an integer beyond the range of a `Double`, which other readers refuse.
    package var value: JSONValue {
        get throws(JSONError) { try text.value(at: index) }
    }

    /// The value without its places, to be shown or checked: an integer beyond the range of a `Double` is the greatest
    /// `Double`.
    package var approximateValue: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .int(value)
        case .largeInteger(let digits):
            JSONValue.LargeInteger(digits).map(JSONValue.largeInteger) ?? .double(number ?? 0)
        case .number(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.approximateValue))
        case .object(let members):
            .object(JSONObject(unique: members.map { ($0.name, $0.value.approximateValue) }))
        }
    }

    /// The integer; one outside 64 bits is the nearest that fits. nil if the value is no integer.
    package var integer: Int? {
        switch entry.kind {
        case .integer: entry.value
        case .largeInteger: text.string(entry).hasPrefix("-") ? .min : .max
        default: nil
        }
    }

    /// The number, nearest to an integer that has no exact one; nil if the value is no number.
    package var number: Double? {
        switch entry.kind {
        case .integer: return Double(entry.value)
        case .largeInteger:
            let most = Double.greatestFiniteMagnitude
            return Double(text.string(entry)).map { min(max($0, -most), most) }
        case .number: return entry.number
        default: return nil
        }
    }
}

extension JSONNode {
    /// Creates a node of a value that stands in no text.
    /// - Parameters:
    ///   - value: The value.
    ///   - offset: The offset of the value and of all within.
    package init(_ value: JSONValue, offset: Int = 0) {
        var entries: [JSONText.Entry] = []
        var strings: [String] = []
        func enter(_ kind: JSONText.Entry.Kind, _ value: Int = 0) {
            entries.append(JSONText.Entry(kind: kind, offset: offset, value: value))
        }
        func enter(_ kind: JSONText.Entry.Kind, _ string: String) {
            enter(kind, strings.count)
            strings.append(string)
        }
        func add(_ value: JSONValue) {
            let index = entries.count
            switch value {
            case .null: enter(.null)
            case .bool(let value): enter(.bool, value ? 1 : 0)
            case .int(let value): enter(.integer, value)
            case .largeInteger(let value): enter(.largeInteger, value.digits)
            case .double(let value): entries.append(JSONText.Entry(value, at: offset))
            case .string(let value): enter(.escaped, value)
            case .array(let elements):
                enter(.array)
                for element in elements { add(element) }
                entries[index].end(entries.count, count: elements.count)
            case .object(let object):
                enter(.object)
                for (name, value) in object.members {
                    enter(.escaped, name)
                    add(value)
                }
                entries[index].end(entries.count, count: object.count)
            }
        }
        add(value)
        self.init(JSONText(entries: entries, strings: strings), 0)
    }
}
