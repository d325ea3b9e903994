import Foundation
import TrackerCore

@testable import TrackerConfig

extension Service {
    /// Leaves what processes leave that vanish soon after they applied a version.
    func vanish(_ count: Int, with version: Int = 2, url: String = url) throws {
        try FileManager.default.createDirectory(atPath: stateDirectory, withIntermediateDirectories: true)
        var hash = StableHash()
        hash.combine(url.utf8)
        var (slot, left) = (0, count)
        while left > 0 {
            // One that a process has, or has left, is not free.
            let file = try StartupWatchdog.File(path: "\(stateDirectory)/configuration-\(hash.hex).watch-\(slot)")
            if let file, file.record.mark == .idle {
                file.record = StartupWatchdog.Record(mark: .watching, version: version, process: UInt64(slot + 1))
                left -= 1
            }
            slot += 1
        }
    }
}
