import Foundation

/// The file in which overrides outlive the process; several processes may share it.
struct OverridesFile: Sendable {
    private static let mostWait = Duration.seconds(2)

    let path: String

    /// What the file says; nothing where there is none.
    func read() throws -> OverrideSet {
        guard let text = try [UInt8](contentsOfFile: path) else { return OverrideSet() }
        return OverrideSet(try FeaturesFile(text))
    }

    /// Changes what the file says, so that what other processes have set in it stays.
    ///
    /// A file that cannot be understood is set aside.
    /// - Throws: Where it cannot be written; it stays as it was then.
    func change(_ edit: (inout OverrideSet) -> Void) throws(FileError) {
        try StandardDirectory.create(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        // On a file system without locks the rename alone keeps readers safe.
        let lock = try FileLock.waiting(path: "\(path).lock", atMost: Self.mostWait)
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
        let temporary = FileLock.temporaryPath(for: path, under: lock)
        do throws(FileError) {
            try set.fileContents.write(to: temporary)
            guard rename(temporary, path) == 0 else { throw FileError(.rename, path: path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
