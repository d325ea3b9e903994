import TrackerPlatform

/// The identity of a file, by its device and number.
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Reads the identity of the file at a path, without following a symbolic link.
    /// - Returns: nil if there is no file.
    init?(_ path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        self.init(information)
    }

    /// Reads the identity from a result of `stat`.
    init(_ information: stat) {
        (device, number) = (information.st_dev, information.st_ino)
    }
}
