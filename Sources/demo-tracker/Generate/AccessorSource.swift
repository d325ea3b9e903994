import TrackerConfig
import TrackerCore

/// The file of which accessors are made, in the words of its format.
struct AccessorSource {
    /// The file's name without its folders.
    let name: String

    /// The older system that wrote the file; nil for a document.
    let format: ImportFormat?

    /// The keys at which something stands.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name; nil for the feature itself.
    /// - Returns: The keys, from the outermost.
    func path(_ feature: String, _ variable: String?) -> [String] {
        let variable = variable.map { [$0] } ?? []
        return switch format {
        case nil: ["features", feature] + (variable.isEmpty ? [] : ["variables"]) + variable
        case .msActiveConfig: ["config_sections", feature] + (variable.isEmpty ? [] : ["settings"]) + variable
        case .justTweak, .rolloutManager: [feature] + variable
        }
    }

    /// The keys at which something stands, as sentences name them.
    func place(_ feature: String, _ variable: String?) -> String {
        path(feature, variable).joined(separator: ".")
    }

    /// How the name of a property is chosen.
    var remedy: String {
        switch format {
        case nil: "a generatedName of its own settles it"
        case .justTweak: "a GeneratedPropertyName of its own settles it"
        case .msActiveConfig, .rolloutManager:
            "the document that demo-tracker import makes of the file can have a generatedName that settles it"
        }
    }

    /// Where something stands in the file's text; the name of the last key that is there.
    func position(_ path: [String], in text: [UInt8]) -> TextPosition? {
        // In what is no JSON nothing has a place; who reads the file has said so.
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
