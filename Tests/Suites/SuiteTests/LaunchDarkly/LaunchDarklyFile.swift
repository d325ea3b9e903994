import TrackerConfig

/// A file of LaunchDarkly's evaluation data: flags, segments and evaluations, once for each combination of its parameters.
struct LaunchDarklyFile {
    /// The flags, segments and evaluations of one combination.
    struct Expansion {
        let flags: JSONObject
        let segments: JSONObject
        let evaluations: [JSONValue]
    }

    let expansions: [Expansion]

    init(_ text: String) throws {
        let file = try YAML.value(of: text)
        let lists = file["parameters"]?.array ?? []
        // A list of lists is their product.
        let combinations =
            lists.isEmpty
            ? [JSONObject()]
            : lists.allSatisfy { $0.array != nil }
                ? lists.reduce([JSONObject()]) { combinations, list in
                    combinations.flatMap { first in (list.array ?? []).map { first.merged(with: $0.object ?? [:]) } }
                } : lists.compactMap(\.object)
        expansions = combinations.map { parameters in
            let words = (file["constants"]?.object ?? [:]).merged(with: parameters)
            func expanded(_ value: JSONValue?) -> JSONValue { (value ?? [:]).replacing(words) }
            return Expansion(
                flags: expanded(file["sdkData"]?["flags"]).object ?? [:],
                segments: expanded(file["sdkData"]?["segments"]).object ?? [:],
                evaluations: expanded(file["evaluations"]).array ?? [])
        }
    }
}

extension JSONObject {
    fileprivate func merged(with other: JSONObject) -> JSONObject {
        JSONObject((members + other.members).map { ($0.name, $0.value) })
    }
}

extension JSONValue {
    /// The value with `<NAME>` replaced by what the name stands for: by the value itself if it is the whole text.
    fileprivate func replacing(_ words: JSONObject, depth: Int = 0) -> JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map { $0.replacing(words, depth: depth) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map { name, value in
                        (
                            JSONValue.string(name).replacing(words, depth: depth).string ?? name,
                            value.replacing(words, depth: depth)
                        )
                    }))
        case .string(var text):
            // A value may name others, but not itself.
            guard text.contains("<"), depth < 8 else { return self }
            for (name, value) in words.members where text.contains("<\(name)>") {
                if text == "<\(name)>" { return value.replacing(words, depth: depth + 1) }
                let inner = value.replacing(words, depth: depth + 1)
                text = text.replacing("<\(name)>", with: inner.string ?? "\(inner)")
            }
            return .string(text)
        default: return self
        }
    }
}
