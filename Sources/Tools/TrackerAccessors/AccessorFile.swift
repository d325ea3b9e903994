package import Foundation
package import TrackerFeatureModel

/// The Swift file of accessors for some features, or the faults that prevent it.
package struct AccessorFile {
    /// The Swift text; nil if there are faults.
    package let text: String?

    /// What is wrong with the names, in the order of the features.
    package let faults: [AccessorFault]

    /// Generates accessors.
    /// - Parameters:
    ///   - features: The features, in the order of the file.
    ///   - file: The bytes of the file that they were read from, for positions.
    ///   - source: The file's name and format.
    ///   - name: The name of the struct, an identifier.
    package init(features: [FeatureDefinition], of file: [UInt8], from source: AccessorSource, name: String) {
        let list = AccessorList(features, from: source)
        faults = source.placed(list.faults, in: file)
        text =
            faults.isEmpty
            ? AccessorsText(list, name: name, namespaces: NamespaceNames(of: file), source: source.name).text : nil
    }

    /// Returns what would prevent the accessors of some features.
    /// - Parameters:
    ///   - features: The features, in the order of the file.
    ///   - file: The bytes of the file that they were read from, for positions.
    ///   - source: The file's name and format.
    /// - Returns: What is wrong, in the order of the features.
    package static func faults(
        of features: [FeatureDefinition], in file: [UInt8], from source: AccessorSource
    ) -> [AccessorFault] {
        source.placed(AccessorList(features, from: source).faults, in: file)
    }

    /// Returns why a struct cannot have a name; nil if it can.
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

    /// Writes a text atomically, unless the file has that content already: an unchanged file is not compiled again.
    /// - Returns: Whether the file was written.
    package static func write(_ text: String, to target: URL) throws -> Bool {
        let text = Data(text.utf8)
        // A file that is missing or unreadable is written; the write reports what prevents it.
        if let old = try? Data(contentsOf: target), old == text { return false }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        // The file is renamed into its place, which must not be that of a symbolic link to it.
        try text.write(to: target.resolvingSymlinksInPath(), options: .atomic)
        return true
    }
}
