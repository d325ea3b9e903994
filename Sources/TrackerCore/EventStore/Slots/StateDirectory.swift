import FoundationEssentials

/// The directory in which the processes of a service keep their unsent events, each in a slot of its own.
///
/// A slot is a lock file, which names the service that the slot belongs to, files of the log, and a file of sessions. A
/// process takes the first free slot of its service without files of the log. From other free slots, it takes over the
/// events of its namespaces. Slots of other services are never touched. Lock files are never deleted: a deleted one
/// could be locked twice.
package struct StateDirectory: Sendable {
    /// A slot that this process has locked.
    struct Slot {
        let directory: StateDirectory
        let number: Int
        let lock: FileLock

        /// The path of a file.
        func file(_ suffix: String) -> String { directory.file(number, suffix) }

        /// The path of a file of the log.
        func file(_ number: UInt32) -> String { directory.file(self.number, number) }
    }

    /// The files of a slot.
    struct Entries: Equatable {
        /// The numbers of the files of the log, in ascending order.
        var files: [UInt32] = []
        var hasSessions = false
        /// The unfinished files.
        var temporary: [String] = []
    }

    /// The result of taking a slot.
    struct Opened {
        let slot: Slot
        /// The sessions of earlier processes.
        var sessions: [ExactText: SessionRecord] = [:]
        /// The highest number of a file.
        var lastNumber: UInt32 = 0
        /// The warnings for an operator, one sentence each.
        var warnings: [String] = []
    }

    /// The maximum number of slots of a directory. A file system without working locks may report every slot as taken.
    static let maxSlots = 1000
    private static let longestService = 1024

    let path: String
    let service: String
    let format: LogFormat
    private let fileSystem: @Sendable (String) -> FileSystem?
    /// Called before each change of a file that is not an append; its error is the change's failure.
    let willChange: @Sendable (_ path: String) throws(EventStoreError) -> Void

    /// Describes a directory; nothing is opened yet.
    /// - Parameters:
    ///   - path: The service's own directory.
    ///   - service: The service's name.
    ///   - format: The layout of new files; only tests use another one.
    ///   - fileSystem: Returns the file system of a path; only tests use another one.
    ///   - willChange: Called before each change of a file that is not an append; its error is the change's failure.
    package init(
        path: String, service: String, format: LogFormat = .standard,
        fileSystem: @escaping @Sendable (String) -> FileSystem? = { FileSystem(of: $0) },
        willChange: @escaping @Sendable (_ path: String) throws(EventStoreError) -> Void = { _ in }
    ) {
        (self.path, self.service, self.format) = (path, service, format)
        (self.fileSystem, self.willChange) = (fileSystem, willChange)
    }

    /// Takes a slot, and creates the directory if it is missing.
    /// - Throws: If no slot can be used, or if 1,000 are taken.
    func open() throws(EventStoreError) -> Opened {
        try EventStoreError.converted { () throws(FileError) in try StandardDirectory.create(path) }
        if let name = fileSystem(path)?.networkName {
            throw EventStoreError(
                .unavailable,
                reason: "\(path) is on a network file system (\(name)), where other machines could change what this "
                    + "process has open; use a directory on a local disk")
        }
        var warnings: [String] = []
        let (entries, others) = try contents()
        if let former = others.first(where: { $0.hasPrefix("events-") && !$0.hasSuffix(".lock") }) {
            warnings.append(
                "\(path)/\(former) is of an earlier release of the SDK, which this one does not read; it stays as it is"
            )
        }
        var sessions: [ExactText: SessionRecord] = [:]
        var own: Slot?
        var unusable = 0
        for number in 0..<Self.maxSlots {
            let found = entries[number]
            // After its own slot, a process looks only at slots with files.
            if own != nil, found == nil { continue }
            do throws(EventStoreError) {
                guard let slot = try slot(number) else { continue }
                if found?.hasSessions == true {
                    let (records, warning) = SessionFile.read(file(number, "sessions"))
                    sessions.merge(records) { $0.lastActivity < $1.lastActivity ? $1 : $0 }
                    if let warning { warnings.append(warning) }
                }
                if own == nil, found?.files.isEmpty ?? true {
                    try claim(slot)
                    own = slot
                }
            } catch {
                // An unusable slot, for example of another user, affects that slot only.
                unusable += 1
                if unusable == 1 { warnings.append("slot \(number) is passed over: \(error.reason)") }
                // If the disk is full for one slot, it is full for all.
                if unusable == 100 || error.code == .full { throw error }
            }
        }
        guard let own else {
            throw EventStoreError(
                .unavailable,
                reason:
                    "all \(Self.maxSlots) slots in \(path) are taken; if fewer processes use it, its file system has "
                    + "no working locks: use a directory on another one")
        }
        let last = entries.values.compactMap(\.files.last).max() ?? 0
        return Opened(slot: own, sessions: sessions, lastNumber: last, warnings: warnings)
    }

    /// Whether its file system copies on write.
    var copiesOnWrite: Bool { fileSystem(path)?.copiesOnWrite == true }

    /// The free space that a file of a format needs, in bytes. Where the file system copies on write, it is above the
    /// bound at which the log leaves its files and the size of these together; else the log would return at once.
    func neededRoom(for format: LogFormat) -> Int {
        copiesOnWrite ? 8 * max(format.size, self.format.size) : 2 * format.size
    }

    /// The files of each slot, and the other files of the directory.
    /// - Throws: If it cannot be read.
    func contents() throws(EventStoreError) -> (slots: [Int: Entries], others: [String]) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return ([:], [])
        } catch {
            throw EventStoreError(.read, path)
        }
        var slots: [Int: Entries] = [:]
        var others: [String] = []
        for name in names.sorted() {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].hasPrefix("log-"), let slot = Int(parts[0].dropFirst(4)) else {
                others.append(name)
                continue
            }
            switch parts[1] {
            case "lock": break
            case "sessions": slots[slot, default: Entries()].hasSessions = true
            case "tmp": slots[slot, default: Entries()].temporary.append(name)
            default:
                // Numbers count up; a number that no process can reach belongs to another program.
                if let number = UInt32(parts[1], radix: 16), number < 1 << 31 {
                    slots[slot, default: Entries()].files.append(number)
                }
            }
        }
        for slot in slots.keys { slots[slot]?.files.sort() }
        return (slots, others)
    }

    /// The present state of the files of the log of a slot.
    func stamps(of slot: Int, _ entries: Entries) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for path in entries.files.map({ file(slot, $0) }) { stamps[path] = FileStamp(path, followsLinks: false) }
        return stamps
    }

    /// The path of a file of a slot.
    func file(_ slot: Int, _ suffix: String) -> String { "\(path)/log-\(slot).\(suffix)" }

    /// The path of a file of the log.
    func file(_ slot: Int, _ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return file(slot, String(repeating: "0", count: 8 - digits.count) + digits)
    }

    /// Takes the lock of a slot; nil if the slot belongs to another service or to a living process.
    func slot(_ number: Int) throws(EventStoreError) -> Slot? {
        let lock = try EventStoreError.converted { () throws(FileError) in try FileLock(path: file(number, "lock")) }
        guard let lock else { return nil }
        let owner = lock.text(atMost: Self.longestService)
        return owner.isEmpty || owner == service ? Slot(directory: self, number: number, lock: lock) : nil
    }

    /// Writes the service's name to a slot's lock file.
    private func claim(_ slot: Slot) throws(EventStoreError) {
        guard slot.lock.text(atMost: Self.longestService) != service else { return }
        try EventStoreError.converted { () throws(FileError) in try slot.lock.write(service) }
    }
}
