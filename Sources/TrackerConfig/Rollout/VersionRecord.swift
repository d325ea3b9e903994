/// What is known of a source's versions beyond the life of a process.
struct VersionRecord: Sendable, Equatable {
    /// How processes with a version ended.
    struct Crashes: Sendable, Equatable {
        var version: Int
        /// Processes that vanished in a row.
        var count: Int
        /// Whether there were too many at some time; only a higher version changes that.
        var isHeld: Bool
    }

    /// A version that an instance reverted.
    struct Reversion: Sendable, Equatable {
        var version: Int
        var reason: String
    }

    // The 16 newest; older versions were replaced long ago.
    private static let maxKept = 16

    private(set) var crashes: [Crashes] = []
    private(set) var reversions: [Reversion] = []

    /// Counts a process that vanished soon after it applied a version.
    mutating func vanished(_ version: Int, limit: Int) {
        var entry = crashes.first { $0.version == version } ?? Crashes(version: version, count: 0, isHeld: false)
        crashes.removeAll { $0.version == version }
        entry.count += 1
        entry.isHeld = entry.isHeld || entry.count >= limit
        crashes = Array((crashes + [entry]).sorted { $0.version < $1.version }.suffix(Self.maxKept))
    }

    /// Resets the count of a version, because a process lived on with it or shut down in order.
    mutating func survived(_ version: Int) {
        crashes.removeAll { $0.version == version && !$0.isHeld }
    }

    /// Marks a version as bad.
    mutating func reverted(_ reversion: Reversion) {
        reversions.removeAll { $0.version == reversion.version }
        reversions = (reversions + [reversion]).suffix(Self.maxKept)
    }

    /// The mark of a version that kills.
    func crashes(of version: Int) -> Crashes? {
        crashes.first { $0.version == version && $0.isHeld }
    }

    /// The mark of a bad version.
    func reversion(of version: Int) -> Reversion? {
        reversions.first { $0.version == version }
    }
}

extension VersionRecord {
    /// The record as JSON.
    var bytes: [UInt8] {
        let object: JSONObject = [
            "crashes": .array(
                crashes.map {
                    .object(["version": .int($0.version), "count": .int($0.count), "held": .bool($0.isHeld)])
                }),
            "reversions": .array(
                reversions.map {
                    .object(["version": .int($0.version), "reason": .string($0.reason)])
                }),
        ]
        return Array("\(JSONValue.object(object))\n".utf8)
    }

    /// Reads a record; nil if it is none.
    init?(bytes: [UInt8]) {
        // The caller says that the file is damaged; how it is damaged would not help the operator.
        guard let value = try? JSONReader.read(bytes).value, let crashes = value["crashes"]?.array,
            let reversions = value["reversions"]?.array
        else { return nil }
        for entry in crashes {
            guard let version = entry["version"]?.int, let count = entry["count"]?.int, let isHeld = entry["held"]?.bool
            else { return nil }
            self.crashes.append(Crashes(version: version, count: min(max(count, 0), 1_000_000), isHeld: isHeld))
        }
        for entry in reversions {
            guard let version = entry["version"]?.int, let reason = entry["reason"]?.string else { return nil }
            self.reversions.append(Reversion(version: version, reason: reason))
        }
    }
}
