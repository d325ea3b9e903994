import Glibc

extension StagingArea {
    /// Opens a slot's file under the slot's lock, and makes it if it is missing.
    /// - Parameters:
    ///   - path: The file. A symbolic link is not followed.
    ///   - layout: The file's layout.
    ///   - stored: How far the store says the segments are in it, by their index.
    /// - Returns: The area, and what a dead process left; its segments are not used until ``release(_:)``.
    /// - Throws: If the file cannot be made or has no room.
    static func open(
        _ path: String, _ layout: StagingFile, stored: [Int: StagedPosition]
    ) throws(EventStoreError) -> (area: StagingArea, contents: StagingFile.Contents) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw failure(.open, path) }
        defer { close(descriptor) }
        let information = try information(on: descriptor, path)
        try allocate(descriptor, path, information.st_size, layout.size)
        let memory = mmap(nil, layout.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw failure(.open, path) }
        // The file is the parent's alone.
        madvise(memory, layout.size, MADV_DONTFORK)
        readNothingAhead(memory, layout.size)
        memory.storeBytes(of: StagingFile.magic, as: UInt64.self)
        let bytes = UnsafeRawBufferPointer(start: memory, count: layout.size)
        let contents = layout.contents(of: bytes, stored: stored)
        let generations = stored.values.map(\.generation) + layout.generations(in: bytes)
        let area = StagingArea(
            memory, layout, file: (path, FileIdentity(information)), lastGeneration: generations.max() ?? 0,
            lastNote: UnremovedRows.noted(in: bytes).number,
            occupied: Set(contents.leftovers.compactMap(\.position?.segment)))
        return (area, contents)
    }

    /// Reads what a dead process left in a file, under its slot's lock, and changes nothing.
    /// - Returns: Nothing if there is no file.
    static func contents(
        of path: String, _ layout: StagingFile, stored: [Int: StagedPosition]
    ) throws(EventStoreError) -> StagingFile.Contents {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return StagingFile.Contents() }
            throw failure(.read, path)
        }
        defer { close(descriptor) }
        let size = min(try information(on: descriptor, path).st_size, layout.size)
        guard size > 0 else { return StagingFile.Contents() }
        // Mapped, because most of its 8 MiB are empty as a rule.
        let memory = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw failure(.read, path) }
        defer { munmap(memory, size) }
        readNothingAhead(memory, size)
        return layout.contents(of: UnsafeRawBufferPointer(start: memory, count: size), stored: stored)
    }

    /// Of most segments no more than the header is read; what the kernel reads ahead of each was half of a start's time.
    private static func readNothingAhead(_ memory: UnsafeMutableRawPointer, _ size: Int) {
        madvise(memory, size, MADV_RANDOM)
    }

    private static func information(on descriptor: Int32, _ path: String) throws(EventStoreError) -> stat {
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw EventStoreError(.unavailable, reason: "\(path) is not a file")
        }
        return information
    }

    /// Gives the file all its blocks, so that no write to its memory can meet a full disk.
    private static func allocate(
        _ descriptor: Int32, _ path: String, _ size: off_t, _ wanted: Int
    ) throws(EventStoreError) {
        // A file beyond the limit would bring a signal that ends the process.
        var limit = rlimit()
        guard
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) != 0
                || limit.rlim_cur >= UInt(wanted)
        else { throw failure(.write, path, EFBIG) }
        var code: Int32
        repeat { code = posix_fallocate(descriptor, 0, off_t(wanted)) } while code == EINTR
        guard code == 0 else {
            // Some file systems keep the blocks that there were, which the database needs more.
            ftruncate(descriptor, size)
            throw failure(.write, path, code)
        }
    }

    private static func failure(
        _ operation: FileError.Operation, _ path: String, _ errorNumber: Int32 = errno
    ) -> EventStoreError {
        let failure = FileError(operation, path: path, errorNumber: errorNumber)
        let isFull = errorNumber == ENOSPC || errorNumber == EDQUOT
        return EventStoreError(isFull ? .full : .unavailable, reason: failure.description, cause: failure)
    }
}
