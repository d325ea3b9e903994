package import TrackerConfig

/// One line of a difference between two configurations.
package struct DifferenceLine: Sendable, Hashable {
    /// The depth of the line in the difference: a group, a part in it, a fact of the part.
    package let indent: Int

    /// The kind of line: "+" for an addition, "-" for a removal, "~" for a change, "=" for no change, "!" for a
    /// warning; nil for a heading or a remark.
    package let mark: String?

    /// The line's text without line breaks and secrets.
    package let text: String

    init(_ indent: Int, _ mark: String?, _ text: String) {
        (self.indent, self.mark, self.text) = (indent, mark, text.printable)
    }

    /// The line as JSON.
    package var json: JSONValue {
        ["indent": .int(indent), "mark": mark.map(JSONValue.string) ?? .null, "text": .string(text)]
    }
}
