import FoundationEssentials

/// The directory in which the processes of a service keep their unsent events, each in a slot of its own.
///
/// A slot is a lock file, which names the service that the slot belongs to, and a database. A process takes the first
/// free slot of its service in which no events wait but those of its own namespaces; what waits in other free slots is
/// moved into its own as far as it has the namespaces. Slots of other services are never touched. Lock files are never deleted: a
/// deleted one could be locked twice.
package struct StateDirectory: Sendable {
    /// A slot that a process has taken.
    struct Opened {
        var store: SQLiteEventStore
        var slot: Int
        /// The slot's staging file; nil if it cannot be used.
        var staging: StagingArea?
        /// What a dead process left in the staging file.
        var staged = StagingFile.Contents()
        /// The sessions of earlier processes, also of slots that were passed over.
        var sessions: [ExactText: SessionRecord?]
        /// What an operator should know, a sentence each.
        var warnings: [String]
    }

    /// A free slot with its database.
    struct Abandoned {
        let store: SQLiteEventStore
        let slot: Int
        /// That the database was damaged and was replaced; nil if it was not.
        var warning: String?
    }

    /// The most slots of a directory. A file system without working locks may say of every slot that it is taken.
    static let maxSlots = 1000
    // Slots that belong to other users or hold files of a newer release are passed over, but not for ever.
    private static let maxUnusable = 100
    private static let longestService = 1024
    /// How much of a slot's damaged databases is kept for a person to look at.
    static let maxRemains = 3

    let path: String
    let service: String
    private let staging: StagingFile
    private let pageSize: Int
    private let fileSystem: @Sendable (String) -> FileSystem?

    /// Describes a directory; nothing is opened yet.
    /// - Parameters:
    ///   - path: The service's own directory.
    ///   - service: The service's name.
    ///   - staging: The layout of staging files; another one is for tests.
    ///   - pageSize: The size of the pages of databases, in bytes; another one is for tests.
    ///   - fileSystem: Returns the file system that a path is on; another one is for tests.
    package init(
        path: String, service: String, staging: StagingFile = .standard, pageSize: Int = SQLiteEventStore.pageSize,
        fileSystem: @escaping @Sendable (String) -> FileSystem? = { FileSystem(of: $0) }
    ) {
        (self.path, self.service) = (path, service)
        (self.staging, self.pageSize, self.fileSystem) = (staging, pageSize, fileSystem)
    }

    /// Opens a store in a free slot, and creates the directory if it is missing.
    /// - Parameter namespaces: The namespaces that the process has. The slot has events of no others. nil takes the first
    ///   free slot, whatever it has.
    /// - Returns: The slot with its store.
    /// - Throws: If no slot can be used, or if 1,000 are taken.
    func open(for namespaces: Set<ExactText>?) throws(EventStoreError) -> Opened {
        do throws(FileError) {
            try StandardDirectory.create(path)
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
        if let name = fileSystem(path)?.networkName {
            throw EventStoreError(
                .unavailable,
                reason: "\(path) is on a network file system (\(name)), where other machines could change what this "
                    + "process has open; use a directory on a local disk")
        }
        var warnings: [String] = []
        var sessions: [ExactText: SessionRecord?] = [:]
        var unusable = 0
        for slot in 0..<Self.maxSlots {
            let exists = FileIdentity(file(slot)) != nil
            do throws(EventStoreError) {
                guard let lock = try lock(slot) else { continue }
                let owner = lock.text(atMost: Self.longestService)
                guard owner.isEmpty || owner == service else { continue }
                if let opened = try open(slot, lock, for: namespaces, &sessions, &warnings) { return opened }
            } catch {
                // A slot of another user's, or one that only a newer release can read, costs that slot only. A new
                // database that fails says that the disk does.
                guard error.code == .unavailable || error.code == .failed && exists, unusable < Self.maxUnusable
                else { throw error }
                unusable += 1
                if unusable == 1 { warnings.append("slot \(slot) is passed over: \(error.reason)") }
                if unusable == Self.maxUnusable { throw error }
            }
        }
        throw EventStoreError(
            .unavailable,
            reason: "all \(Self.maxSlots) slots in \(path) are taken; if fewer processes use it, its file system has "
                + "no working locks: use a directory on another one")
    }

    /// Takes a free slot; a database whose damage shows only now is replaced.
    private func open(
        _ slot: Int, _ lock: FileLock, for namespaces: Set<ExactText>?, _ sessions: inout [ExactText: SessionRecord?],
        _ warnings: inout [String]
    ) throws(EventStoreError) -> Opened? {
        do throws(EventStoreError) {
            return try look(into: slot, lock, for: namespaces, &sessions, &warnings)
        } catch  where error.code == .corrupt {
            let file = file(slot)
            _ = try replace(file, lock)
            warnings.append(Self.replaced(file, error))
            return try look(into: slot, lock, for: namespaces, &sessions, &warnings)
        }
    }

    /// Takes a free slot unless it has events of other namespaces, or events that may be in the slot of a living process.
    private func look(
        into slot: Int, _ lock: FileLock, for namespaces: Set<ExactText>?,
        _ sessions: inout [ExactText: SessionRecord?], _ warnings: inout [String]
    ) throws(EventStoreError) -> Opened? {
        let (store, warning) = try open(slot, lock)
        if let warning { warnings.append(warning) }
        guard try completeMoves(of: store, in: slot, own: nil) else { return nil }
        for (namespace, record) in try store.sessions() { sessions[exactly: namespace] = record }
        if let namespaces {
            // One that cannot be read is reported when it is opened.
            let staged = (try? staged(of: slot, store).leftovers) ?? []
            let waiting = Set(try store.namespaces().map(ExactText.init) + staged.flatMap(\.events).map(\.namespace))
            if !waiting.isSubset(of: namespaces) { return nil }
        }
        return try take(store, slot, sessions, warnings)
    }

    /// Makes a slot this process's own.
    private func take(
        _ store: SQLiteEventStore, _ slot: Int, _ sessions: [ExactText: SessionRecord?], _ warnings: [String]
    ) throws(EventStoreError) -> Opened {
        try claim(store.lock)
        var opened = Opened(store: store, slot: slot, sessions: sessions, warnings: warnings)
        do throws(EventStoreError) {
            let (staging, staged) = try openStaging(of: slot, store)
            (opened.staging, opened.staged) = (staging, staged)
        } catch  where error.code != .corrupt {
            opened.warnings.append("a kill can lose the events of the last milliseconds: \(error.reason)")
        }
        return opened
    }

    /// Opens the staging file of the own slot, and creates it if it is missing.
    func openStaging(
        of slot: Int, _ store: SQLiteEventStore
    ) throws(EventStoreError) -> (StagingArea, StagingFile.Contents) {
        try StagingArea.open(
            StagingFile.path(slot, in: path), staging, stored: stagedPositions(of: slot, store),
            names: store.fullNames())
    }

    /// Takes the lock of a slot in which a database is, for a look at what its process left.
    /// - Parameters:
    ///   - slot: The slot.
    ///   - own: The slot that this process has.
    /// - Returns: nil if the slot is another service's, or belongs to a living process, or if the events in it may be in the
    ///   slot of a living process.
    /// - Throws: If the lock or the database cannot be opened.
    func abandoned(_ slot: Int, own: OwnSlot?) throws(EventStoreError) -> Abandoned? {
        guard let lock = try lock(slot) else { return nil }
        let owner = lock.text(atMost: Self.longestService)
        guard owner.isEmpty || owner == service else { return nil }
        // Between the look into the directory and the lock, another process may have emptied and removed it.
        guard FileIdentity(file(slot)) != nil || !leftovers(of: slot).isEmpty else { return nil }
        let (store, warning) = try open(slot, lock)
        guard try completeMoves(of: store, in: slot, own: own) else { return nil }
        return Abandoned(store: store, slot: slot, warning: warning)
    }

    /// Reads the staging file of a free slot.
    /// - Parameters:
    ///   - slot: The slot, whose lock this process has.
    ///   - store: The slot's store.
    /// - Returns: What a dead process left in it.
    /// - Throws: If the file cannot be read.
    func staged(of slot: Int, _ store: SQLiteEventStore) throws(EventStoreError) -> StagingFile.Contents {
        try StagingArea.contents(
            of: StagingFile.path(slot, in: path), staging, stored: stagedPositions(of: slot, store),
            names: store.fullNames())
    }

    /// How far a slot's staging file is in its store, and in damaged ones that are not salvaged yet.
    private func stagedPositions(
        of slot: Int, _ store: SQLiteEventStore
    ) throws(EventStoreError) -> [Int: StagedPosition] {
        var positions = try store.stagedPositions()
        for file in leftovers(of: slot) {
            positions.merge(try EventSalvage.Notes(of: file).positions) { $0.isBehind($1) ? $1 : $0 }
        }
        return positions
    }

    /// The slots that have a database or something left of a damaged one.
    /// - Throws: If the directory cannot be read.
    func slots() throws(FileError) -> [Int] {
        Set(try Self.names(in: path).compactMap(Self.slot)).sorted()
    }

    static func names(in directory: String) throws(FileError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw FileError(.read, path: directory)
        }
    }

    /// The slot of a database or of a damaged one that was set aside; nil for other files.
    static func slot(_ name: String) -> Int? {
        guard name.hasPrefix("events-") else { return nil }
        let number = name.dropFirst("events-".count).prefix { $0 != "." }
        let suffix = name[number.endIndex...]
        guard suffix.hasPrefix(".sqlite") else { return nil }
        let rest = suffix.dropFirst(".sqlite".count)
        return rest.isEmpty || isLeftover(rest) ? Int(number) : nil
    }

    /// Whether a database's name ends as that of one that was set aside and not salvaged yet.
    private static func isLeftover(_ suffix: Substring) -> Bool {
        suffix.hasPrefix(".damaged-") && !suffix.hasSuffix("-wal") && !suffix.hasSuffix("-shm")
    }

    static func file(_ slot: Int, in directory: String) -> String { "\(directory)/events-\(slot).sqlite" }

    func file(_ slot: Int) -> String { Self.file(slot, in: path) }

    func lock(_ slot: Int) throws(EventStoreError) -> FileLock? {
        do throws(FileError) {
            return try FileLock(path: "\(path)/events-\(slot).lock")
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
    }

    /// Names the service in a slot's lock file.
    private func claim(_ lock: FileLock) throws(EventStoreError) {
        guard lock.text(atMost: Self.longestService) != service else { return }
        do throws(FileError) {
            try lock.write(service)
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
    }

    /// Opens a slot's database; a damaged one is set aside and a new one takes its place.
    func open(
        _ slot: Int, _ lock: FileLock
    ) throws(EventStoreError) -> (store: SQLiteEventStore, warning: String?) {
        let file = file(slot)
        do throws(EventStoreError) {
            return (try SQLiteEventStore(path: file, lock: lock, pageSize: pageSize), nil)
        } catch  where error.code == .corrupt {
            let store = try replace(file, lock)
            return (store, Self.replaced(file, error))
        }
    }
}
