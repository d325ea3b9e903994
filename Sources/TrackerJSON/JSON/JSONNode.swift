/// A JSON value with the place where it stands in its text.
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
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package let nameOffset: Int
        package let value: JSONNode

        package init(name: String, nameOffset: Int, value: JSONNode) {
            self.name = name
            self.nameOffset = nameOffset
            self.value = value
        }
    }

    package let content: Content

    /// Where the value begins, in bytes from the start of the text.
    package let offset: Int

    package init(content: Content, offset: Int) {
        self.content = content
        self.offset = offset
    }

    /// What the value is, as an error names it: "a string", "null".
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .largeInteger: "a number"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value without its places.
    /// - Throws: A ``JSONError`` with the offset of an integer beyond the range of a `Double`, which other readers refuse.
    package var value: JSONValue {
        get throws(JSONError) {
            switch content {
            case .null: return .null
            case .bool(let value): return .bool(value)
            case .integer(let value): return .int(value)
            case .largeInteger(let digits):
                if let integer = JSONValue.LargeInteger(digits) { return .largeInteger(integer) }
                let shown = digits.oneLine(most: 60)
                throw JSONError(
                    code: .numberOutOfRange,
                    reason: "the integer \(shown) is too large for JSON readers; write it as a string", offset: offset)
            case .number(let value): return .double(value)
            case .string(let value): return .string(value)
            case .array(let elements):
                return .array(try elements.map { (element) throws(JSONError) in try element.value })
            case .object(let members):
                return .object(
                    JSONObject(
                        unique: try members.map { (member) throws(JSONError) in
                            (member.name, try member.value.value)
                        }))
            }
        }
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
        switch content {
        case .integer(let value): value
        case .largeInteger(let digits): digits.hasPrefix("-") ? .min : .max
        default: nil
        }
    }

    /// The number, nearest to an integer that has no exact one; nil if the value is no number.
    package var number: Double? {
        switch content {
        case .integer(let value): return Double(value)
        case .largeInteger(let digits):
            let most = Double.greatestFiniteMagnitude
            return Double(digits).map { min(max($0, -most), most) }
        case .number(let value): return value
        default: return nil
        }
    }
}
