import TrackerPlatform

/// The identity of a file, its size and the time of its last change.
package struct FileStamp: Equatable, Sendable {
    private let file: ino_t
    private let size: Int
    /// A hash of the time of the last change.
    private let time: UInt64

    /// Reads the stamp of the file at a path; nil if there is none.
    /// - Parameters:
    ///   - path: The path.
    ///   - followsLinks: Whether a symbolic link is followed.
    package init?(_ path: String, followsLinks: Bool) {
        var information = stat()
        guard (followsLinks ? stat(path, &information) : lstat(path, &information)) == 0 else { return nil }
        (file, size) = (information.st_ino, Int(information.st_size))
        var hash = StableHash()
        withUnsafeBytes(of: information.st_mtim) { hash.combine($0) }
        time = hash.value
    }
}
