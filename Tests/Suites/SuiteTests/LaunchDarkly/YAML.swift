import TrackerConfig
import Yams

/// YAML as JSON values, with the words of YAML 1.2: `on` is a text.
enum YAML {
    /// Reads a document.
    static func value(of text: String) throws -> JSONValue { value(try Yams.compose(yaml: text) ?? Node("")) }

    private static func value(_ node: Node) -> JSONValue {
        switch node {
        case .mapping(let mapping):
            var members = JSONObject()
            // What `<<` names stands behind the members of its own.
            for (key, value) in mapping where key.string == "<<" {
                for (name, value) in self.value(value).object?.members ?? [] { members[name] = value }
            }
            for (key, value) in mapping where key.string != "<<" { members[key.string ?? ""] = self.value(value) }
            return .object(members)
        case .sequence(let sequence): return .array(sequence.map(value))
        case .scalar(let scalar): return self.value(scalar)
        case .alias: return .null
        }
    }

    private static func value(_ scalar: Node.Scalar) -> JSONValue {
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        switch scalar.string {
        case "true": return true
        case "false": return false
        case "null", "~", "": return nil
        case let text:
            if let number = Int(text) { return .int(number) }
            return Double(text).map(JSONValue.double) ?? .string(text)
        }
    }
}
