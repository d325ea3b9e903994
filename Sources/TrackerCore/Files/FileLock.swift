import TrackerPlatform

/// An exclusive lock on a file, held until it is released or the process ends.
package final class FileLock: Sendable {
    private let path: String
    private let process = getpid()
    /// The open file, valid for as long as the lock is held.
    package let descriptor: Int32

    /// Takes the lock; nil if another open file holds it.
    ///
    /// A symbolic link is not followed; a directory in the place of the file is set aside.
    /// - Parameters:
    ///   - path: The file, which is created if it is missing.
    ///   - isShared: Whether other shared locks may be held at the same time.
    /// - Throws: A ``FileError`` if the file cannot be opened or the file system has no locks.
    package init?(path: String, isShared: Bool = false) throws(FileError) {
        self.path = path
        var descriptor = Self.open(path)
        if descriptor < 0, errno == EISDIR, AtomicFile.setAsideDirectory(path) { descriptor = Self.open(path) }
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw FileError(.open, path: path) }
        if flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            // The descriptor is closed by `deinit`, which runs after a failure too.
            let failure = errno
            // Some file systems have no locks at all; there, no process holds this one.
            guard failure == EWOULDBLOCK else { throw FileError(.lock, path: path, errorNumber: failure) }
            return nil
        }
    }

    deinit {
        // A forked child shares the lock, which belongs to its parent.
        guard descriptor >= 0, process == getpid() else { return }
        // Unlocked explicitly, because a forked child may still have the file open.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether the locked file is still the one at its path.
    package var isAtItsPath: Bool {
        var information = stat()
        return fstat(descriptor, &information) == 0 && FileIdentity(information) == FileIdentity(path)
    }

    /// The contents of the file, up to a number of bytes; empty if it cannot be read.
    package func text(atMost limit: Int) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces the contents of the file.
    package func write(_ text: String) throws(FileError) {
        let bytes = Array(text.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw FileError(.write, path: path)
        }
    }

    private static func open(_ path: String) -> Int32 {
        TrackerPlatform.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }
}

extension FileLock {
    /// Takes the lock as soon as it is free.
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The maximum wait.
    /// - Returns: The lock; nil on a file system without locks.
    /// - Throws: A ``FileError`` if the file cannot be opened or the lock is still taken.
    package static func waiting(path: String, atMost limit: Duration) throws(FileError) -> FileLock? {
        let end = ContinuousClock.now + limit
        while true {
            do throws(FileError) {
                if let lock = try FileLock(path: path) { return lock }
            } catch  where error.operation == .lock {
                return nil
            }
            guard ContinuousClock.now < end else { throw FileError(.lock, path: path, errorNumber: EWOULDBLOCK) }
            usleep(5_000)
        }
    }
}
