import Glibc

extension StagingArea {
    /// Opens a slot's file under the slot's lock, and makes it if it is missing.
    /// - Parameters:
    ///   - path: The file. A symbolic link is not followed.
    ///   - layout: The file's layout.
    ///   - stored: How far the store says the segments are in it, by their index.
    ///   - names: The full names of namespaces by those that events have, as far as they differ.
    /// - Returns: The area, and what a dead process left; its segments are not used until ``release(_:)``.
    /// - Throws: If the file cannot be made or has no room.
    static func open(
        _ path: String, _ layout: StagingFile, stored: [Int: StagedPosition], names: [ExactText: ExactText] = [:]
    ) throws(EventStoreError) -> (area: StagingArea, contents: StagingFile.Contents) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw failure(.open, path) }
        defer { close(descriptor) }
        let information = try information(on: descriptor, path)
        // As large as the process before left it, so that no segment is cut.
        let count = max(StagingFile.segmentCount, layout.count(inBytes: Int(information.st_size)))
        try allocate(descriptor, path, information.st_size, layout.start(of: count))
        let map = try map(descriptor, path, 0, layout.start(of: count), PROT_READ | PROT_WRITE)
        let found = UnsafeRawBufferPointer(rebasing: map.bytes.prefix(Int(information.st_size)))
        var contents = layout.contents(of: found, stored: stored)
        contents.complete(names, source: map)
        let occupied = Set(contents.leftovers.compactMap(\.position?.segment))
        map.start.storeBytes(of: StagingFile.magic, as: UInt64.self)
        let area = StagingArea(
            map, layout, file: (path, FileIdentity(information)), lastGeneration: contents.lastGeneration,
            lastNote: UnremovedRows.noted(in: map.bytes).number, occupied: occupied)
        area.note(count: count)
        return (area, contents)
    }

    /// Reads what a dead process left in a file, under its slot's lock, and changes nothing.
    /// - Returns: Nothing if there is no file.
    static func contents(
        of path: String, _ layout: StagingFile, stored: [Int: StagedPosition], names: [ExactText: ExactText] = [:]
    ) throws(EventStoreError) -> StagingFile.Contents {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return StagingFile.Contents() }
            throw failure(.read, path)
        }
        defer { close(descriptor) }
        let size = min(Int(try information(on: descriptor, path).st_size), layout.start(of: StagingFile.maxSegments))
        guard size > 0 else { return StagingFile.Contents() }
        // Mapped, because most of it is empty as a rule.
        let map = try map(descriptor, path, 0, size, PROT_READ)
        var contents = layout.contents(of: map.bytes, stored: stored)
        contents.complete(names, source: map)
        return contents
    }

    /// Makes the file larger if few segments are free, by as much as it has, at most 64 segments at a time and not beyond the
    /// limit. It leaves as much room on the disk as it takes, because what is in the file is to be stored.
    ///
    /// It runs on the thread of the store, or on one of its own while that waits for the disk.
    /// - Returns: Whether there are more segments.
    @discardableResult
    func grow() -> Bool {
        let (first, count) = segments.withLock { segments in
            segments.isGrowthDue = false
            guard isDurable, segments.isLow, !segments.isResizing else { return (0, 0) }
            let count = min(segments.places.count, 64, segments.limit - segments.places.count)
            if count <= 0 { segments.growthFailure = "it has reached the greatest maxEventStoreBytes of the trackers" }
            segments.isResizing = count > 0
            return (segments.places.count, max(0, count))
        }
        guard count > 0 else { return false }
        do throws(EventStoreError) {
            let (map, offset) = try extend(first, by: count)
            note(count: first + count)
            segments.withLock { segments in
                segments.maps.append((first, map))
                for index in 0..<count { segments.places.append(map.start + offset + index * layout.segmentSize) }
                // Used last, so that a quiet service can give them back.
                segments.free.insert(contentsOf: (first..<first + count).reversed(), at: 0)
                (segments.isResizing, segments.growthFailure) = (false, nil)
            }
            return true
        } catch {
            segments.withLock { ($0.isResizing, $0.growthFailure) = (false, error.reason) }
            return false
        }
    }

    /// Makes room for segments at the end of the file.
    /// - Returns: Memory in which they are, and where they begin in it.
    private func extend(_ first: Int, by count: Int) throws(EventStoreError) -> (map: StagingMap, offset: Int) {
        guard let file else { throw EventStoreError(.unavailable, reason: "there is no file") }
        let descriptor = Glibc.open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(.open, file.path) }
        defer { close(descriptor) }
        let information = try Self.information(on: descriptor, file.path)
        guard FileIdentity(information) == file.identity else {
            throw EventStoreError(.unavailable, reason: "\(file.path) was replaced while it was in use")
        }
        let (start, end) = (layout.start(of: first), layout.start(of: first + count))
        var room = statvfs()
        if fstatvfs(descriptor, &room) == 0, Int(room.f_bavail) * Int(room.f_frsize) < 2 * (end - start) {
            throw Self.failure(.write, file.path, ENOSPC)
        }
        try Self.allocate(descriptor, file.path, information.st_size, end)
        // A mapping begins with a page, and not all machines have pages of 4096 bytes.
        let page = max(4096, sysconf(Int32(_SC_PAGESIZE)))
        let offset = start % page
        let map = try Self.map(descriptor, file.path, start - offset, end - start + offset, PROT_READ | PROT_WRITE)
        return (map, offset)
    }

    /// Makes the file as small as a new one if no segment beyond is in use.
    func shrink() {
        let base = StagingFile.segmentCount
        let removed: [(first: Int, map: StagingMap)]? = segments.withLock { segments in
            // The first ones are used first from now on, so that the others become free.
            segments.free.sort(by: >)
            let free = segments.free.prefix { $0 >= base }
            guard isDurable, segments.places.count > base, !segments.isResizing,
                free.count == segments.places.count - base
            else { return nil }
            segments.isResizing = true
            segments.free.removeFirst(free.count)
            segments.places.removeLast(free.count)
            segments.prepared.formIntersection(0..<base)
            segments.growthFailure = nil
            defer { segments.maps.removeAll { $0.first > 0 } }
            return segments.maps.filter { $0.first > 0 }
        }
        guard let removed else { return }
        defer { segments.withLock { $0.isResizing = false } }
        note(count: base)
        // Unmapped before the file ends there.
        withExtendedLifetime(removed) {}
        guard let file else { return }
        let descriptor = Glibc.open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // A file that stays larger is tried again by the next process.
        guard let information = try? Self.information(on: descriptor, file.path),
            FileIdentity(information) == file.identity
        else { return }
        ftruncate(descriptor, off_t(layout.start(of: base)))
    }

    /// Sets how large the file may become, and lets it try again to grow.
    func setLimit(bytes: Int) {
        segments.withLock { segments in
            segments.limit = min(StagingFile.maxSegments, max(StagingFile.segmentCount, bytes / layout.segmentSize))
            segments.growthFailure = nil
        }
    }

    private static func map(
        _ descriptor: Int32, _ path: String, _ offset: Int, _ size: Int, _ protection: Int32
    ) throws(EventStoreError) -> StagingMap {
        let memory = mmap(nil, size, protection, MAP_SHARED, descriptor, off_t(offset))
        guard let memory, memory != MAP_FAILED else { throw failure(.open, path) }
        // Most segments are read no further than the header; readahead took half of the start time.
        madvise(memory, size, MADV_RANDOM)
        // The file is the parent's alone.
        madvise(memory, size, MADV_DONTFORK)
        return StagingMap(memory, size)
    }

    private static func information(on descriptor: Int32, _ path: String) throws(EventStoreError) -> stat {
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw EventStoreError(.unavailable, reason: "\(path) is not a file")
        }
        return information
    }

    /// Gives the file all its blocks, so that a write to its memory meets no full disk unless the file system copies on write.
    private static func allocate(
        _ descriptor: Int32, _ path: String, _ size: off_t, _ wanted: Int
    ) throws(EventStoreError) {
        // A file beyond the limit would raise a signal that stops the process.
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
