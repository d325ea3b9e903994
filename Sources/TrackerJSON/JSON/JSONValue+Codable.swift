extension JSONValue: Codable {
    /// Reads any JSON value.
    /// - Parameter decoder: Where it is read from.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        // A decoder tells kinds apart only by trying.
        if let members = try? decoder.container(keyedBy: MemberName.self) {
            self = .object(
                JSONObject(try members.allKeys.map { ($0.stringValue, try members.decode(Self.self, forKey: $0)) }))
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? value.decode(Int.self) {
            self = .int(int)
        } else if let double = try? value.decode(Double.self) {
            // Beyond Int a decoder gives the nearest double, which is another number.
            if let integer = try? value.decode(UInt64.self), UInt64(exactly: double) != integer {
                throw DecodingError.dataCorruptedError(
                    in: value,
                    debugDescription: "the integer \(integer) does not fit into 64 bits; write it as a string")
            }
            self = .double(double)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else {
            self = .array(try value.decode([JSONValue].self))
        }
    }

    /// Writes the value.
    /// - Parameter encoder: Where it is written to.
    /// - Throws: What the encoder throws, as for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        if case .object(let object) = self {
            var container = encoder.container(keyedBy: MemberName.self)
            for member in object.members { try container.encode(member.value, forKey: MemberName(member.name)) }
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null, .object: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        }
    }

    private struct MemberName: CodingKey {
        let stringValue: String

        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }

        init?(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

extension JSONObject: Codable {
    /// Reads a JSON object.
    /// - Parameter decoder: Where it is read from.
    /// - Throws: What the decoder throws, and where the value is no object.
    public init(from decoder: any Decoder) throws {
        guard case .object(let object) = try JSONValue(from: decoder) else {
            throw DecodingError.typeMismatch(
                JSONObject.self, .init(codingPath: decoder.codingPath, debugDescription: "expected an object"))
        }
        self = object
    }

    /// Writes the object.
    /// - Parameter encoder: Where it is written to.
    /// - Throws: What the encoder throws, as for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue.object(self).encode(to: encoder)
    }
}
