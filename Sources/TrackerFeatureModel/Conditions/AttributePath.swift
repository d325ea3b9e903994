/// The path of an attribute, such as "address.city".
struct AttributePath: Sendable {
    /// A name within an object, or an index within a list.
    private struct Step {
        let name: String
        let index: Int?
    }

    /// The whole path.
    let text: String
    /// The name of the attribute, the first part of the path.
    let root: String
    private let steps: [Step]

    init(_ path: String) {
        let parts = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        text = path
        root = parts[0]
        steps = parts.dropFirst().map { name in
            // "01" and "+1" are names.
            let index = Int(name).flatMap { String($0) == name && $0 >= 0 ? $0 : nil }
            return Step(name: name, index: index)
        }
    }

    /// The value at the path; null if there is none.
    func value(_ attribute: (String) -> JSONValue?) -> JSONValue {
        guard var value = attribute(root) else { return .null }
        for step in steps {
            switch value {
            case .object(let object): value = object[step.name] ?? .null
            case .array(let elements):
                guard let index = step.index, index < elements.count else { return .null }
                value = elements[index]
            default: return .null
            }
        }
        return value
    }
}
