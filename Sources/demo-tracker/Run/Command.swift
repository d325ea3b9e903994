import TrackerClientEvents
import TrackerConfig
import TrackerCore

/// Why a command was not obeyed.
struct CommandError: Error {
    let id: JSONValue
    let reason: String
}

/// One line of the input.
struct Command {
    let id: JSONValue
    let name: String
    private let members: [JSONNode.Member]

    init(_ line: [UInt8]) throws(CommandError) {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONReader.read(line)
        } catch {
            throw CommandError(id: .null, reason: "not a line of JSON: \(error)")
        }
        guard case .object(let members) = node.content else {
            throw CommandError(id: .null, reason: "expected an object, found \(node.kind)")
        }
        self.members = members
        id = members.first { $0.name == "id" }?.value.value ?? .null
        guard case .string(let name)? = members.first(where: { $0.name == "do" })?.value.content else {
            throw CommandError(id: id, reason: "no command: 'do' is missing or not a string")
        }
        self.name = name
    }

    func fault(_ reason: String) -> CommandError {
        CommandError(id: id, reason: reason)
    }

    /// The value of a key as it stands in the line.
    func requiredNode(_ key: String) throws(CommandError) -> JSONNode {
        guard let member = members.first(where: { $0.name == key }) else { throw fault("'\(key)' is missing") }
        return member.value
    }

    /// The value of a key, which the line must have.
    func requiredJSON(_ key: String) throws(CommandError) -> JSONValue {
        _ = try requiredNode(key)
        return json(key)
    }

    /// The value of a key; null if the line has none.
    func json(_ key: String) -> JSONValue { node(key).value }

    private func node(_ key: String) -> JSONNode {
        members.first { $0.name == key }?.value ?? JSONNode(.null)
    }

    func text(_ key: String) throws(CommandError) -> String? {
        try value(key, "a string", of: json(key)) { $0.string }
    }

    func required(_ key: String) throws(CommandError) -> String {
        guard let text = try text(key) else { throw fault("'\(key)' is missing") }
        return text
    }

    func flag(_ key: String) throws(CommandError) -> Bool? {
        try value(key, "a boolean", of: json(key)) { $0.bool }
    }

    func object(_ key: String) throws(CommandError) -> JSONObject? {
        try value(key, "an object", of: json(key)) { $0.object }
    }

    func integer(_ key: String) throws(CommandError) -> Int? {
        try value(key, "an integer", of: json(key)) { $0.int }
    }

    func seconds(_ key: String) throws(CommandError) -> Duration? {
        guard let seconds = try value(key, "a number", of: json(key), { $0.double }) else { return nil }
        guard 0...86_400 ~= seconds else { throw fault("'\(key)' is not in 0…86400") }
        return .seconds(seconds)
    }

    func entities() throws(CommandError) -> [Entity] {
        let list = try value("entities", "a list", of: json("entities")) { $0.array } ?? []
        var entities: [Entity] = []
        for element in list {
            guard let schema = element["schema"]?.string, let data = element["data"]?.object else {
                throw fault("an entity is an object with 'schema' and 'data'")
            }
            entities.append(Entity(schema: schema, data: data))
        }
        return entities
    }

    func event() throws(CommandError) -> any Event {
        let event = json("event")
        func text(_ key: String) throws(CommandError) -> String? {
            try value("event.\(key)", "a string", of: event[key] ?? .null) { $0.string }
        }
        func required(_ key: String) throws(CommandError) -> String {
            guard let text = try text(key) else { throw fault("'event.\(key)' is missing") }
            return text
        }
        if event["schema"] != nil {
            guard let data = event["data"]?.object else { throw fault("'event.data' is missing or not an object") }
            return SelfDescribing(schema: try required("schema"), data: data)
        }
        if event["category"] != nil {
            let number = try value("event.value", "a number", of: event["value"] ?? .null) { $0.double }
            return Structured(
                category: try required("category"), action: try required("action"), label: try text("label"),
                property: try text("property"), value: number)
        }
        if event["url"] != nil {
            return PageView(url: try required("url"), title: try text("title"), referrer: try text("referrer"))
        }
        if event["screen"] != nil { return ScreenView(name: try required("screen"), type: try text("type")) }
        if let timing = event["timing"] {
            guard let category = timing["category"]?.string, let variable = timing["variable"]?.string,
                let number = timing["timing"]?.double
            else { throw fault("'event.timing' needs 'category', 'variable' and 'timing'") }
            return Timing(category: category, variable: variable, timing: number, label: timing["label"]?.string)
        }
        throw fault("'event' is missing, or of no kind that is known")
    }

    private func value<Value>(
        _ key: String, _ expected: String, of value: JSONValue, _ convert: (JSONValue) -> Value?
    ) throws(CommandError) -> Value? {
        if value == .null { return nil }
        guard let converted = convert(value) else { throw fault("'\(key)' is not \(expected)") }
        return converted
    }
}
