import Foundation
import PackagePlugin

/// Generates accessors when a target is built: `Settings.features.json` gives it the struct `Settings`.
@main
struct GenerateAccessors: BuildToolPlugin {
    private static let suffix = ".features.json"

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = (target as? any SourceModuleTarget)?.sourceFiles.map(\.url) ?? []
        let documents = files.filter { $0.lastPathComponent.hasSuffix(Self.suffix) }
        guard !documents.isEmpty else {
            let example = "Accessors\(Self.suffix)"
            Diagnostics.error(
                """
                The target '\(target.name)' has no file for GenerateAccessors to read: put one such as \(example) beside \
                its sources, for a struct Accessors, and do not exclude it
                """)
            return []
        }
        let tool = try context.tool(named: "tracker-accessors").url
        return documents.map { document in
            let name = String(document.lastPathComponent.dropLast(Self.suffix.count))
            let directory = context.pluginWorkDirectoryURL
            return .buildCommand(
                displayName: "Generating \(name) of \(document.lastPathComponent)", executable: tool,
                arguments: [document.path, directory.path, name],
                inputFiles: [document], outputFiles: [directory.appending(path: "\(name).swift")])
        }
    }
}
