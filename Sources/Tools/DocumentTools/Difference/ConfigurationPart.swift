import TrackerConfig
import TrackerCore

/// A part of a configuration that can be compared with its earlier state, made of facts and smaller parts.
struct ConfigurationPart {
    /// A named value of a part.
    struct Fact {
        let name: String
        /// The value that is compared.
        let value: AnyHashable
        /// The value in the text of a difference.
        let text: String
        /// The text if the value differs but its text does not.
        let otherwise: String
        /// The layer of the value, which is shown if it differs; empty if there is only one.
        var layer = ""

        init(_ name: String, _ value: JSONValue, isSecret: Bool = false) {
            self.init(name, AnyHashable(value), isSecret ? "\(JSONValue.hidden)" : "\(value)")
        }

        init(_ name: String, _ value: AnyHashable, _ text: String, otherwise: String = "the secret differs") {
            (self.name, self.value, self.text, self.otherwise) = (name, value, text, otherwise)
        }
    }

    /// The part's id among its siblings.
    let id: String
    /// The part's name in the text.
    let title: String
    /// The text after the title if the whole part is added or removed.
    var summary = ""
    var facts: [Fact] = []
    var parts: [ConfigurationPart] = []

    init(_ id: String, kind: String = "") {
        self.id = id
        title = kind + JSONValue.string(id).description
    }
}

extension [ConfigurationPart.Fact] {
    init(_ object: JSONObject) {
        self = object.members.map { ConfigurationPart.Fact($0.name, $0.value) }
    }

    /// The differences from earlier facts.
    func lines(since old: Self, at indent: Int) -> [DifferenceLine] {
        let before = Dictionary(old.map { (ExactText($0.name), $0) }) { $1 }
        let names = Set(map { ExactText($0.name) })
        return filter { before[exactly: $0.name] == nil }.map { DifferenceLine(indent, "+", "\($0.name): \($0.text)") }
            + old.filter { !names.contains(ExactText($0.name)) }
            .map { DifferenceLine(indent, "-", "\($0.name): \($0.text)") }
            + compactMap { fact in
                guard let old = before[exactly: fact.name], old.value != fact.value || old.layer != fact.layer else {
                    return nil
                }
                let change =
                    old.layer != fact.layer
                    ? "\(old.text) (\(old.layer)) → \(fact.text) (\(fact.layer))"
                    : old.text == fact.text ? fact.otherwise : "\(old.text) → \(fact.text)"
                return DifferenceLine(indent, "~", "\(fact.name): \(change)")
            }
    }
}

extension [ConfigurationPart] {
    /// The differences from earlier parts.
    /// - Parameters:
    ///   - old: The earlier parts.
    ///   - indent: The depth of the parts.
    ///   - remarks: Returns further remarks about a part that exists before and after, by its id.
    /// - Returns: The lines; none if nothing differs.
    func lines(since old: Self, at indent: Int, _ remarks: (String) -> [String] = { _ in [] }) -> [DifferenceLine] {
        let before = Dictionary(old.map { (ExactText($0.id), $0) }) { $1 }
        let ids = Set(map { ExactText($0.id) })
        return filter { before[exactly: $0.id] == nil }.map { DifferenceLine(indent, "+", $0.title + $0.summary) }
            + old.filter { !ids.contains(ExactText($0.id)) }
            .map { DifferenceLine(indent, "-", $0.title + $0.summary) }
            + flatMap { part -> [DifferenceLine] in
                guard let old = before[exactly: part.id] else { return [] }
                let lines =
                    part.facts.lines(since: old.facts, at: indent + 1)
                    + part.parts.lines(since: old.parts, at: indent + 1)
                    + remarks(part.id).map { DifferenceLine(indent + 1, nil, $0) }
                return lines.isEmpty ? [] : [DifferenceLine(indent, "~", part.title)] + lines
            }
    }
}
