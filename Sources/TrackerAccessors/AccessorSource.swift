import TrackerJSON

/// The file that accessors are generated from, in the terms of its format.
package struct AccessorSource: Sendable {
    /// The file's name without its folders.
    package let name: String

    /// The sentence that says how to choose another property name.
    package let remedy: String

    private let keys: @Sendable (_ feature: String, _ variable: String?) -> [String]

    /// Describes a configuration document.
    /// - Parameter name: The file's name without its folders.
    package init(document name: String) {
        self.init(name: name, remedy: "a generatedName of its own settles it") { feature, variable in
            ["features", feature] + (variable.map { ["variables", $0] } ?? [])
        }
    }

    /// Describes a file of another format.
    /// - Parameters:
    ///   - name: The file's name without its folders.
    ///   - remedy: The sentence that says how to choose another property name.
    ///   - keys: Returns the keys of a feature, or of one of its variables, from the outermost.
    package init(
        name: String, remedy: String, keys: @escaping @Sendable (_ feature: String, _ variable: String?) -> [String]
    ) {
        (self.name, self.remedy, self.keys) = (name, remedy, keys)
    }

    /// The keys of a feature or of one of its variables, from the outermost.
    func path(_ feature: String, _ variable: String?) -> [String] { keys(feature, variable) }

    /// The keys of a feature or of one of its variables, as sentences name them.
    func place(_ feature: String, _ variable: String?) -> String {
        path(feature, variable).joined(separator: ".")
    }

    /// The position in the file's text of the last of some keys that exists.
    func position(_ path: [String], in text: [UInt8]) -> TextPosition? {
        // Text that is no JSON has no positions; the reader of the file has reported that.
        guard var node = try? JSONReader.read(text) else { return nil }
        var offset: Int?
        for key in path {
            guard case .object(let members) = node.content, let member = members.first(where: { $0.name == key }) else {
                break
            }
            offset = member.nameOffset
            node = member.value
        }
        return offset.map { TextPosition(of: $0, in: text) }
    }
}
