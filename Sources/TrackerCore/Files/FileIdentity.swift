import TrackerPlatform

/// Which file is at a path, by its device and number.
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Looks at a path, without following a symbolic link.
    /// - Returns: nil if there is nothing.
    init?(_ path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        self.init(information)
    }

    /// Takes what `stat` says of a file.
    init(_ information: stat) {
        (device, number) = (information.st_dev, information.st_ino)
    }
}
