import Foundation
import TrackerConfig
import TrackerCore

extension Service {
    /// The files of the cache with their contents, but the lock's.
    var cacheFiles: [String: Data] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cacheDirectory)) ?? []
        let files = names.filter { !$0.hasSuffix(".lock") }.map {
            ($0, FileManager.default.contents(atPath: "\(cacheDirectory)/\($0)") ?? Data())
        }
        return Dictionary(uniqueKeysWithValues: files)
    }
}

extension Tracker {
    /// Tracks an event and waits until the collector has taken it, and all before it.
    func deliver(_ action: String = "add") async {
        track(Structured(category: "cart", action: action))
        await flush()
    }
}

extension SettingExplanation {
    /// The layer with its version, and the value: `remote 2: u-1`.
    var short: String {
        let text = value?.string ?? value?.description ?? "nil"
        return "\(source.rawValue)\(version.map { " \($0)" } ?? ""): \(text)"
    }
}

extension TrackerCounters {
    /// The report on one line.
    var short: String { "sent \(sent), stored \(stored), dropped \(dropped)" }
}
