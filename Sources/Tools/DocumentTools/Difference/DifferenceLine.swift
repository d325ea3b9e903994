package import TrackerConfig

/// One line of a difference between two configurations.
package struct DifferenceLine: Sendable, Hashable {
    /// How deep the line is in the difference: a group, a part in it, a fact of the part.
    package let indent: Int

    /// What the line is: "+" for what is added, "-" for what is removed, "~" for what changes, "=" for what stays, "!" for a
    /// warning; nil for a heading or a remark.
    package let mark: String?

    /// The line's text, on one line, without secrets.
    package let text: String

    init(_ indent: Int, _ mark: String?, _ text: String) {
        (self.indent, self.mark, self.text) = (indent, mark, text.printable)
    }

    /// The line as JSON.
    package var json: JSONValue {
        ["indent": .int(indent), "mark": mark.map(JSONValue.string) ?? .null, "text": .string(text)]
    }
}
