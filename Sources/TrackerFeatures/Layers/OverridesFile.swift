import Glibc

/// The file in which overrides outlive the process; several processes may share it.
struct OverridesFile: Sendable {
    private static let maxWait = Duration.seconds(2)
    private static let largestFile = 16 << 20

    let path: String

    /// Gives what the file says, without a change meanwhile.
    /// - Throws: If the file cannot be read or understood, or others change it for longer than 2 s.
    func read(_ body: (OverrideSet) -> Void) throws {
        var lock: FileLock?
        do throws(FileError) {
            lock = try self.lock()
        } catch {
            // Where no lock can be made, as in a directory that is not there or not ours, no process of ours changes the file.
            if error.operation == .lock { throw error }
        }
        defer { withExtendedLifetime(lock) {} }
        body(try read())
    }

    // On a file system without locks, where it is nil, the rename alone keeps readers safe.
    private func lock() throws(FileError) -> FileLock? {
        try FileLock.waiting(path: "\(path).lock", atMost: Self.maxWait)
    }

    /// What the file says; nothing where there is none.
    private func read() throws -> OverrideSet {
        guard let text = try [UInt8](contentsOfFile: path, atMost: Self.largestFile, followsLinks: true) else {
            return OverrideSet()
        }
        return OverrideSet(try FeaturesFile(text))
    }

    /// Changes what the file says, so that what other processes have set in it stays.
    ///
    /// A file that cannot be understood is set aside.
    /// - Throws: Where it cannot be written; it stays as it was then.
    func change(_ edit: (inout OverrideSet) -> Void) throws(FileError) {
        try StandardDirectory.create(StandardDirectory.parent(of: path))
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        var set = OverrideSet()
        do {
            set = try read()
        } catch let error as FileError {
            throw error
        } catch {
            rename(path, "\(path).unusable")
        }
        edit(&set)
        try AtomicFile.replace(path, with: set.fileContents, under: lock)
    }
}
