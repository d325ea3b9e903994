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
        self.init(name: name, remedy: "give it a generatedName of its own") { feature, variable in
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

    /// Faults with their positions in the file's text, each of the last of its keys that exists.
    func placed(_ faults: [AccessorFault], in text: [UInt8]) -> [AccessorFault] {
        // Text that is not JSON has no positions; the reader of the file has reported that.
        guard !faults.isEmpty, let root = try? JSONReader.read(text, allowsTrailingCommas: true).root else {
            return faults
        }
        let offsets = faults.map { Self.offset($0.path, in: root) }
        let positions = TextPosition.positions(of: offsets.compactMap(\.self), in: text)
        return zip(faults, offsets).map { fault, offset in
            var fault = fault
            fault.position = offset.flatMap { positions[$0] }
            return fault
        }
    }

    private static func offset(_ path: [String], in root: JSONNode) -> Int? {
        var node = root
        var offset: Int?
        for key in path {
            guard case .object(let members) = node.content, let member = members.first(where: { $0.name == key }) else {
                break
            }
            offset = member.nameOffset
            node = member.value
        }
        return offset
    }
}
