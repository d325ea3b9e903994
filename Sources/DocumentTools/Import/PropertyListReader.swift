import Foundation
import TrackerConfig

/// Reads property lists, XML and binary, as JSON without places.
enum PropertyListReader {
    /// Whether a text is no JSON but looks like a property list.
    static func recognizes(_ text: [UInt8]) -> Bool {
        if text.starts(with: "bplist".utf8) { return true }
        let bom: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = text.starts(with: bom) ? text.dropFirst(bom.count) : text[...]
        return start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Reads a property list. Members stand by name; dates and data, which JSON does not have, are texts.
    static func read(_ text: [UInt8]) throws(ConfigurationError) -> JSONNode {
        let list: Any
        do {
            list = try PropertyListSerialization.propertyList(from: Data(text), format: nil)
        } catch {
            let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
            let reason = "no property list" + (detail.map { ": \($0.oneLine(most: 200))" } ?? "")
            throw ConfigurationError(.malformed, place: "", reason: reason)
        }
        return node(list)
    }

    private static func node(_ value: Any) -> JSONNode {
        JSONNode(content: content(value), offset: 0)
    }

    private static func content(_ list: Any) -> JSONNode.Content {
        switch list {
        case let value as [AnyHashable: Any]:
            let named = value.map { (name: "\($0.key)", value: $0.value) }.sorted { $0.name < $1.name }
            return .object(named.map { JSONNode.Member(name: $0.name, nameOffset: 0, value: node($0.value)) })
        case let value as [Any]: return .array(value.map(node))
        case let value as String: return .string(value)
        // The numbers 0 and 1 cast to a boolean too.
        case let value as Bool where type(of: list) == Bool.self: return .bool(value)
        case let value as NSNumber:
            let number = value.doubleValue
            return Int(exactly: number).map(JSONNode.Content.integer) ?? .number(number)
        case let value as Data: return .string(value.base64EncodedString())
        default: return .string("\(list)")
        }
    }
}
