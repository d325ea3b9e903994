import DocumentTools
import TrackerClientEvents
import TrackerConfig
import TrackerCore

/// The error of a command that failed.
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

    func fault(_ reason: String) -> CommandError { CommandError(id: id, reason: reason) }

    /// Runs `body`, and converts an error of the SDK to a ``CommandError``.
    func obey<Value>(_ body: () throws -> Value) throws(CommandError) -> Value {
        do {
            return try body()
        } catch {
            throw error as? CommandError ?? fault("\(error)")
        }
    }

    /// The value of a key as written in the line; nil if it is missing.
    func node(_ key: String) -> JSONNode? { members.first { $0.name == key }?.value }

    /// The value of a required key.
    func requiredNode(_ key: String) throws(CommandError) -> JSONNode {
        guard let node = node(key) else { throw fault("'\(key)' is missing") }
        return node
    }

    /// The value of a key, which may be a path such as `event.timing`; null if it is missing.
    func json(_ key: String) -> JSONValue {
        let names = key.split(separator: ".").map(String.init)
        return names.dropFirst().reduce(node(names[0])?.value ?? .null) { $0[$1] ?? .null }
    }

    func text(_ key: String) throws(CommandError) -> String? { try value(key, "a string") { $0.string } }

    func required(_ key: String) throws(CommandError) -> String {
        guard let text = try text(key) else { throw fault("'\(key)' is missing") }
        return text
    }

    func flag(_ key: String) throws(CommandError) -> Bool? { try value(key, "a boolean") { $0.bool } }

    func object(_ key: String) throws(CommandError) -> JSONObject? { try value(key, "an object") { $0.object } }

    func integer(_ key: String) throws(CommandError) -> Int? { try value(key, "an integer") { $0.int } }

    func number(_ key: String) throws(CommandError) -> Double? { try value(key, "a number") { $0.double } }

    func seconds(_ key: String) throws(CommandError) -> Duration? {
        guard let seconds = try number(key) else { return nil }
        guard 0...86_400 ~= seconds else { throw fault("'\(key)' is not in 0…86400") }
        return .seconds(seconds)
    }

    /// The context of a read or an evaluation; nil if the line has none.
    func context() throws(CommandError) -> FeatureContext? {
        guard let members = try object("context") else { return nil }
        do throws(ContextFault) {
            return try FeatureContext(members)
        } catch {
            throw fault("'context': \(error)")
        }
    }

    func entities() throws(CommandError) -> [Entity] {
        let list = try value("entities", "a list") { $0.array } ?? []
        return try list.map { element throws(CommandError) in
            guard let schema = element["schema"]?.string, let data = element["data"]?.object else {
                throw fault("an entity is an object with 'schema' and 'data'")
            }
            return Entity(schema: schema, data: data)
        }
    }

    func event() throws(CommandError) -> any Event {
        if json("event.schema") != .null {
            guard let data = try object("event.data") else { throw fault("'event.data' is missing") }
            return SelfDescribing(schema: try required("event.schema"), data: data)
        }
        if json("event.category") != .null {
            return Structured(
                category: try required("event.category"), action: try required("event.action"),
                label: try text("event.label"), property: try text("event.property"), value: try number("event.value"))
        }
        if json("event.url") != .null {
            return PageView(
                url: try required("event.url"), title: try text("event.title"), referrer: try text("event.referrer"))
        }
        if json("event.screen") != .null {
            return ScreenView(name: try required("event.screen"), type: try text("event.type"))
        }
        guard let timing = try number("event.timing.timing") else {
            throw fault("'event' is missing, or of no kind that is known")
        }
        return Timing(
            category: try required("event.timing.category"), variable: try required("event.timing.variable"),
            timing: timing, label: try text("event.timing.label"))
    }

    private func value<Value>(
        _ key: String, _ expected: String, _ convert: (JSONValue) -> Value?
    ) throws(CommandError) -> Value? {
        let value = json(key)
        if value == .null { return nil }
        guard let converted = convert(value) else { throw fault("'\(key)' is not \(expected)") }
        return converted
    }
}
