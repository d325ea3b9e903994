import Foundation

/// An exclusive lock on a file, held until it is released or the process ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, or answers nil where another open file holds it.
    /// - Throws: A ``FileError`` where the file cannot be opened or the file system has no locks.
    package init?(path: String) throws(FileError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
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
}
