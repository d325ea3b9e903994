import Foundation
package import TrackerTesting

extension TemporaryDirectory {
    /// The permissions of a file, as `chmod` takes them.
    package func mode(of name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
    }
}
