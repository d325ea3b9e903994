import TrackerPlatform

/// Which file is at a path, and of when.
package struct FileStamp: Equatable, Sendable {
    private let file: ino_t
    private let size: Int
    /// A hash of the time of the last change.
    private let time: UInt64

    /// Looks at a path; nil if nothing is.
    /// - Parameters:
    ///   - path: The path.
    ///   - followsLinks: Whether what a symbolic link leads to is meant, and not the link.
    package init?(_ path: String, followsLinks: Bool) {
        var information = stat()
        guard (followsLinks ? stat(path, &information) : lstat(path, &information)) == 0 else { return nil }
        (file, size) = (information.st_ino, Int(information.st_size))
        var hash = StableHash()
        withUnsafeBytes(of: information.st_mtim) { hash.combine($0) }
        time = hash.value
    }
}
