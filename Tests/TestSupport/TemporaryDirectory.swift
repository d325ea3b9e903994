import Foundation

/// A directory of its own for a test, removed with it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        path = NSTemporaryDirectory() + "tracker-test-" + UUID().uuidString
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A directory that is there already, removed with this too.
    package init(at path: String) {
        self.path = path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package func write(_ text: String, to name: String) {
        try! text.write(toFile: file(name), atomically: true, encoding: .utf8)
    }

    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
