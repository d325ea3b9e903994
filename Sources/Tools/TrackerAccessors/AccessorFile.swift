package import Foundation
package import TrackerFeatureModel

/// The Swift file of accessors for some features, or the errors that prevent it.
package struct AccessorFile {
    /// The invalid names, in the order of the features.
    package let faults: [ConfigurationError]

    private let list: AccessorList

    /// Creates the names of the accessors of features.
    /// - Parameters:
    ///   - features: The features, in the order of the file.
    ///   - file: The bytes of the features' document, for positions.
    package init(_ features: [FeatureDefinition], of file: [UInt8]) {
        list = AccessorList(features)
        // A file of another format has no such places, and a text that is not JSON has no positions.
        let root = list.faults.isEmpty ? nil : try? JSONReader.read(file, allowsTrailingCommas: true).root
        let offsets = list.faults.map { fault in root.flatMap { Self.offset(fault.path, in: $0) } }
        let positions = TextPosition.positions(of: offsets.compactMap(\.self), in: file)
        faults = zip(list.faults, offsets).map { fault, offset in
            ConfigurationError(
                .duplicateName, place: fault.path.joined(separator: "."), reason: fault.reason,
                position: offset.flatMap { positions[$0] })
        }
    }

    /// Generates the Swift text.
    /// - Parameters:
    ///   - name: The name of the struct, an identifier.
    ///   - source: The name of the document without directories.
    /// - Returns: The text; nil if there are faults.
    package func text(name: String, source: String) -> String? {
        faults.isEmpty ? AccessorsText(source: source.wordsOnOneLine).text(of: list.groups, name: name) : nil
    }

    /// The offset of the deepest key that exists.
    private static func offset(_ path: [String], in root: JSONNode) -> Int? {
        var (node, offset) = (root, Int?.none)
        for key in path {
            guard let member = node.members?.first(where: { $0.name == key }) else { break }
            (node, offset) = (member.value, member.nameOffset)
        }
        return offset
    }

    /// Returns the reason why a struct cannot have a name; nil if it can.
    package static func fault(ofStructName name: String) -> String? {
        let isCapital = name.first.map { $0.uppercased() == String($0) } ?? false
        guard isCapital, name.first != "_", SwiftIdentifier.isIdentifier(name) else {
            return "expected a type's name, such as Accessors, found '\(name)'"
        }
        guard !AccessorList.usedTypes.contains(name), !SwiftIdentifier.isReservedType(name) else {
            return "expected a type's name that is not in use, found '\(name)'"
        }
        return nil
    }

    /// Writes a text atomically, unless the file already has that content: an unchanged file is not compiled again.
    /// - Returns: Whether the file was written.
    package static func write(_ text: String, to target: URL) throws -> Bool {
        let text = Data(text.utf8)
        // A missing or unreadable file is written; the write reports any error.
        if let old = try? Data(contentsOf: target), old == text { return false }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        // The new file is renamed, so resolve symbolic links first, which it would replace.
        try text.write(to: target.resolvingSymlinksInPath(), options: .atomic)
        return true
    }
}
