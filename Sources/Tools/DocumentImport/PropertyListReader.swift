import FoundationEssentials
import TrackerConfig
import TrackerCore

/// Reads XML and binary property lists as JSON without places.
enum PropertyListReader {
    /// Whether a text is not JSON but looks like a property list.
    static func recognizes(_ text: [UInt8]) -> Bool {
        if text.starts(with: "bplist".utf8) { return true }
        let bom: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = text.starts(with: bom) ? text.dropFirst(bom.count) : text[...]
        return start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Reads a property list. Members are sorted by name; dates and data become strings, because JSON does not have
    /// them.
    static func read(_ text: [UInt8]) throws(ConfigurationError) -> JSONNode {
        do {
            return JSONNode(try PropertyListDecoder().decode(PropertyListValue.self, from: Data(text)).json)
        } catch {
            var reason = "not a property list"
            if case DecodingError.dataCorrupted(let context) = error {
                let cause = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
                reason += ": \((cause ?? context.debugDescription).oneLine(most: 200))"
            }
            throw ConfigurationError(.malformed, place: "", reason: reason)
        }
    }
}

/// Any value of a property list.
private struct PropertyListValue: Decodable {
    let json: JSONValue

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        json = try Self.json(decoder)
    }

    private static func json(_ decoder: any Decoder) throws -> JSONValue {
        // A value has exactly one type, so all other `try?` fail.
        if let object = try? decoder.container(keyedBy: Name.self) {
            let members = try object.allKeys.map { key in
                (name: key.stringValue, value: try object.decode(PropertyListValue.self, forKey: key).json)
            }
            return .object(JSONObject(unique: members.sorted { $0.name < $1.name }))
        }
        if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !list.isAtEnd { elements.append(try list.decode(PropertyListValue.self).json) }
            return .array(elements)
        }
        let value = try decoder.singleValueContainer()
        if let value = try? value.decode(Bool.self) { return .bool(value) }
        if let value = try? value.decode(String.self) { return .string(value) }
        if let value = try? value.decode(Int.self) { return .int(value) }
        if let value = try? value.decode(Double.self) {
            return JSONValue(shortest: value)
        }
        if let value = try? value.decode(Data.self) { return .string(value.base64EncodedString()) }
        return .string("\(try value.decode(Date.self))")
    }
}
