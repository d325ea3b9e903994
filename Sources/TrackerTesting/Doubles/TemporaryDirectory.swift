import FoundationEssentials

/// A directory for one test. It is removed when the value is released.
///
/// ```swift
/// let directory = TemporaryDirectory()
/// var options = SetupOptions()
/// options.stateDirectory = directory.file("state")
/// options.cacheDirectory = directory.file("cache")
/// ```
public final class TemporaryDirectory: Sendable {
    /// The directory's path.
    public let path: String

    /// Creates a directory in the system's directory of temporary files. Traps if that is not possible.
    public init() {
        let parent = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        path = "\(parent)\(parent.hasSuffix("/") ? "" : "/")tracker-test-\(UUID().uuidString)"
        // A test cannot run without its directory.
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Uses an existing directory, and removes it at the end.
    package init(at path: String) {
        self.path = path
    }

    deinit {
        // Files that cannot be removed stay, like those of a crashed test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in the directory.
    /// - Parameter name: The file's name.
    /// - Returns: The path, whether the file exists or not.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file under another name and renames it. Traps if that is not possible.
    /// - Parameters:
    ///   - text: The contents.
    ///   - name: The file's name.
    public func write(_ text: String, to name: String) {
        // A test cannot run without its file.
        try! Data(text.utf8).write(to: URL(filePath: file(name)), options: .atomic)
    }

    /// The names of the files, sorted; empty if the directory was removed.
    public var names: [String] {
        // A directory that was removed has no files.
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
