import Foundation

/// A temporary directory of one run of a command.
package struct RunDirectory: Sendable {
    /// The path.
    package let path: String

    /// Makes a directory that only this user can read.
    /// - Parameter name: The first part of its name.
    /// - Throws: If it cannot be made.
    package init(_ name: String) throws(CommandFailure) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        // mkdtemp replaces these six.
        let template = strdup("\(parent)/\(name)." + String(repeating: "X", count: 6))
        defer { free(template) }
        guard let made = template.flatMap({ mkdtemp($0) }) else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.inputOutput, "cannot make a temporary directory in \(parent): \(reason)")
        }
        path = String(cString: made)
    }

    /// Removes the directory and all within it.
    package func remove() {
        // A directory that stays behind is the system's to remove.
        try? FileManager.default.removeItem(atPath: path)
    }
}
