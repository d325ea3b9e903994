import TrackerPlatform

/// Checks of files of certificates.
package enum CertificateFile {
    /// Returns why a file of certificates cannot be read, as a sentence; nil if it can. Reads from disk.
    package static func fault(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return FileError(.open, path: path).description }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            return "\(path) is not a file"
        }
        return nil
    }
}
