import Foundation

/// An exclusive lock on a file, held until it is released or the process ends.
package final class FileLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Takes the lock, or answers nil where another open file holds it.
    /// - Throws: A ``FileError`` where the file cannot be opened or the file system has no locks.
    package init?(path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileError(.open, path: path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // The descriptor is closed by `deinit`, which runs after a failure too.
            let failure = errno
            // Some file systems have no locks at all; there, nobody holds this one.
            guard failure == EWOULDBLOCK else { throw FileError(.lock, path: path, errorNumber: failure) }
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What is written in the file, up to a number of bytes; empty if it cannot be read.
    package func text(atMost limit: Int) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces what is written in the file.
    package func write(_ text: String) throws(FileError) {
        let bytes = Array(text.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw FileError(.write, path: path)
        }
    }
}

extension FileLock {
    /// Takes the lock as soon as it is free.
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The longest to wait.
    /// - Returns: The lock, nil on a file system that has none.
    /// - Throws: A ``FileError`` where the file cannot be opened or the lock is still taken.
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

extension FileLock {
    /// A path to write a file to that is renamed later.
    ///
    /// Whoever holds the lock writes alone, so that all write under one name and what a killed process left there goes;
    /// without a lock each name is new.
    /// - Parameters:
    ///   - path: The file's last path.
    ///   - lock: The lock of those who write the file.
    /// - Returns: The path, where no file is.
    package static func temporaryPath(for path: String, under lock: FileLock?) -> String {
        guard lock != nil else { return "\(path).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).tmp" }
        unlink("\(path).tmp")
        return "\(path).tmp"
    }
}
