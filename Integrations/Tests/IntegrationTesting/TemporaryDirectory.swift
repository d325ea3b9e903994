import FoundationEssentials

/// A directory of its own for a test, removed with it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        path = "\(FileManager.default.temporaryDirectory.path)/integrations-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // What is left is in the system's directory of temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }
}
