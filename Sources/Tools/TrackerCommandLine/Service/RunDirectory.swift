import Foundation

/// A temporary directory for one run of a command.
package struct RunDirectory: Sendable {
    /// The path.
    package let path: String

    /// Creates a directory that only this user can read.
    /// - Parameter name: The prefix of its name.
    /// - Throws: If it cannot be created.
    package init(_ name: String) throws(CommandFailure) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        // mkdtemp replaces these six characters.
        let template = strdup("\(parent)/\(name)." + String(repeating: "X", count: 6))
        defer { free(template) }
        guard let made = template.flatMap({ mkdtemp($0) }) else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.inputOutput, "cannot make a temporary directory in \(parent): \(reason)")
        }
        path = String(cString: made)
    }

    /// Removes the directory and its contents.
    package func remove() {
        // If this fails, the system removes the temporary directory later.
        try? FileManager.default.removeItem(atPath: path)
    }
}
