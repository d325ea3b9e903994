extension JSONValue: Codable {
    /// Reads any JSON value, an integer beyond 64 bits as the nearest `Double`.
    /// - Parameter decoder: The decoder.
    /// - Throws: The error of the decoder.
    public init(from decoder: any Decoder) throws {
        // The only way to learn a value's kind from a decoder is to try.
        if let members = try? decoder.container(keyedBy: MemberName.self) {
            var object: [(String, JSONValue)] = []
            for key in members.allKeys { object.append((key.stringValue, try members.decode(Self.self, forKey: key))) }
            self = .object(JSONObject(object))
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
            self = .double(double)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else {
            self = .array(try value.decode([JSONValue].self))
        }
    }

    /// Writes the value.
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the encoder, for example for a number that is not finite.
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
    /// - Parameter decoder: The decoder.
    /// - Throws: The error of the decoder, and an error if the value is not an object.
    public init(from decoder: any Decoder) throws {
        guard case .object(let object) = try JSONValue(from: decoder) else {
            throw DecodingError.typeMismatch(
                JSONObject.self, .init(codingPath: decoder.codingPath, debugDescription: "expected an object"))
        }
        self = object
    }

    /// Writes the object.
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the encoder, for example for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue.object(self).encode(to: encoder)
    }
}
