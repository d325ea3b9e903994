import TrackerJSON

/// The namespaces of a document's trackers as constants, for `setup.track(_:to:)` and `setup.tracker(_:)`.
struct NamespaceNames {
    /// The name of the enum that has the constants.
    static let typeName = "Namespaces"

    private var constants: [(name: String, namespace: String)] = []
    /// The namespaces that have no constant: they have no letter and no digit, or give a name that is taken.
    private var unnamed: [String] = []

    /// Reads the bundles of a document.
    /// - Parameter file: The document's bytes; a file that is none gives no names.
    init(of file: [UInt8]) {
        guard let root = try? JSONReader.read(file, allowsTrailingCommas: true).root,
            case .array(let bundles)? = root.member("configurationBundle")?.content
        else { return }
        var taken: Set<String> = []
        for bundle in bundles {
            guard case .string(let namespace)? = bundle.member("namespace")?.content else { continue }
            if let name = SwiftIdentifier.namespaceName(namespace), taken.insert(name).inserted {
                constants.append((name, namespace))
            } else {
                unnamed.append(namespace)
            }
        }
    }

    /// The enum as a member of the accessors; empty without namespaces.
    var texts: [String] {
        if constants.isEmpty { return [] }
        let lines = constants.map { name, namespace in
            "        /// The namespace \(namespace.wordsOnOneLine).\n"
                + "        public static let \(SwiftIdentifier.escaped(name)) = \(SwiftLiteral.quoted(namespace))\n"
        }
        let notes = unnamed.map { "        // Without a name of its own: \($0.wordsOnOneLine)\n" }
        return [
            """
                /// The namespaces of the trackers.
                public enum \(Self.typeName) {
            \((lines + notes).joined(separator: "\n"))    }

            """
        ]
    }
}

extension JSONNode {
    fileprivate func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }?.value
    }
}
