import Glibc

/// The file in which overrides outlive the process; several processes may share it.
struct OverridesFile: Sendable {
    private static let maxWait = Duration.seconds(2)
    private static let largestFile = 16 << 20

    /// The path of the file, or of a symbolic link to it, which stays one.
    let path: String

    private var resolved: OverridesFile { OverridesFile(path: AtomicFile.resolved(path)) }

    /// Gives what the file says, without a change meanwhile; nil if there is no file.
    /// - Returns: What is odd about the file.
    /// - Throws: If the file cannot be read or understood, or others change it for longer than 2 s.
    func read(_ body: (OverrideSet?) -> Void) throws -> [ConfigurationError] {
        var lock: FileLock?
        let file = resolved
        do throws(FileError) {
            lock = try file.lock()
        } catch {
            // Where no lock can be made, as in a directory that is not there or not ours, no process of ours changes the file.
            if error.operation == .lock { throw error }
        }
        defer { withExtendedLifetime(lock) {} }
        let (set, warnings) = try file.contents()
        body(set)
        return warnings
    }

    // On a file system without locks it is nil, and the rename alone keeps readers safe.
    private func lock() throws(FileError) -> FileLock? {
        try FileLock.waiting(path: "\(path).lock", atMost: Self.maxWait)
    }

    /// What the file says, and what is odd about it; nil if there is none.
    private func contents() throws -> (OverrideSet?, [ConfigurationError]) {
        guard let text = try [UInt8](contentsOfFile: path, atMost: Self.largestFile) else {
            return (nil, [])
        }
        let file = try FeaturesFile(text)
        let ruled = file.features.filter { !$0.rules.isEmpty }.map { feature in
            ConfigurationError(
                .warning, place: "features.\(feature.name).rules", reason: "overrides have no rules; ignored")
        }
        var warnings = file.warnings + ruled
        let set = OverrideSet(file, text, &warnings)
        return (set, warnings)
    }

    /// Changes what the file says, so that what other processes have set in it stays, and removes what has expired.
    ///
    /// A file that cannot be understood is set aside. Then, and if there is none, a new one has what is in effect.
    /// - Parameters:
    ///   - now: The time, in milliseconds since 1970.
    ///   - warnings: Takes what the file does not have any more: what is odd about it, or that it was set aside.
    ///   - inEffect: Returns what is in effect.
    ///   - edit: Changes what the file says.
    /// - Throws: If it cannot be written or set aside, or would be too large to be read again; it stays as it was then.
    func change(
        at now: Int64, _ warnings: inout [ConfigurationError], inEffect: () -> OverrideSet,
        _ edit: (inout OverrideSet) -> Void
    ) throws(FileError) {
        let file = resolved
        let path = file.path
        try StandardDirectory.create(StandardDirectory.parent(of: path))
        let lock = try file.lock()
        defer { withExtendedLifetime(lock) {} }
        var set: OverrideSet
        do {
            let (known, odd) = try file.contents()
            set = known ?? inEffect()
            warnings += odd
        } catch let error as FileError {
            throw error
        } catch {
            let unusable = "\(path).unusable"
            guard rename(path, unusable) == 0 else { throw FileError(.rename, path: unusable) }
            let reason = "the file cannot be understood and was set aside as \(unusable): \(error)"
            warnings.append(ConfigurationError(.warning, place: "", reason: reason))
            set = inEffect()
        }
        set.removeExpired(at: now)
        edit(&set)
        let bytes = set.fileContents
        guard bytes.count <= Self.largestFile else { throw FileError(tooLarge: path, limit: Self.largestFile) }
        try AtomicFile.replace(path, with: bytes, under: lock)
    }
}
