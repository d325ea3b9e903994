import FoundationEssentials
import TrackerPlatform

/// The directories of the SDK, in the standard places for services on Linux.
package enum StandardDirectory: Sendable {
    /// Fetched documents; losing them costs one fetch.
    case cache
    /// Unsent events and other data that must survive a restart.
    case state

    /// Returns the directory from systemd's variable, otherwise XDG's, otherwise the home directory's; nil without any.
    package func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        let (systemd, xdg, home) =
            switch self {
            case .cache: ("CACHE_DIRECTORY", "XDG_CACHE_HOME", ".cache")
            case .state: ("STATE_DIRECTORY", "XDG_STATE_HOME", ".local/state")
            }
        // systemd joins several directories of one unit with colons; the first is the service's own.
        if let first = environment[systemd]?.split(separator: ":").first { return String(first) }
        // The XDG base directory specification: a relative path is invalid and ignored.
        if let base = environment[xdg], base.hasPrefix("/") { return "\(base)/tracker-config" }
        guard let user = environment["HOME"], user.hasPrefix("/") else { return nil }
        return "\(user)/\(home)/tracker-config"
    }

    /// The parent directory of a file; `.` if the path has no slash.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates a directory and its missing parents, for this user only.
    /// - Throws: A ``FileError`` if one cannot be created, or if the path is empty, which means the root directory.
    package static func create(_ path: String) throws(FileError) {
        guard !path.isEmpty else { throw FileError(.createDirectory, path: "''", errorNumber: ENOENT) }
        var made = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            made += "/" + component
            guard mkdir(made, 0o700) != 0 else { continue }
            let failure = errno
            var information = stat()
            guard stat(made, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
                throw FileError(.createDirectory, path: made, errorNumber: failure)
            }
        }
    }

    /// Warns of a directory whose files other users can replace.
    /// - Parameter path: The directory; symbolic links are followed.
    /// - Returns: A sentence if users other than the owner can write to the directory and it has no sticky bit; nil
    ///   otherwise, and if there is no directory.
    package static func warning(about path: String) -> String? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else { return nil }
        let (writable, sticky) = (information.st_mode & 0o022 != 0, information.st_mode & S_ISVTX != 0)
        guard writable && !sticky else { return nil }
        let mode = String(information.st_mode & 0o7777, radix: 8)
        return "other users can write to the directory \(path) (mode \(mode)); use mode 700"
    }

    /// Checks that a file that another library opens by its path is not a symbolic link.
    /// - Parameter path: The file, which need not be there.
    /// - Throws: A ``FileError`` if it is a link.
    package static func checkNoLink(_ path: String) throws(FileError) {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFLNK else { return }
        throw FileError(.open, path: path, errorNumber: ELOOP)
    }

    /// Makes a rename in a directory survive a power failure; if that fails, the older file may be found again.
    package static func sync(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
