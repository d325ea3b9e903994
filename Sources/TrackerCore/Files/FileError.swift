import TrackerPlatform

/// The error of a file or a directory that could not be used.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation that failed.
    package enum Operation: String, Sendable, Hashable {
        /// Creating a directory.
        case createDirectory = "make the directory"
        /// Opening a file.
        case open = "open"
        /// Reading a file.
        case read = "read"
        /// Writing a file.
        case write = "write"
        /// Locking a file.
        case lock
        /// Renaming a file.
        case rename = "rename"
    }

    /// The operation that failed.
    package let operation: Operation

    /// The file or directory.
    package let path: String

    /// The system's error number.
    package let errorNumber: Int32

    /// The bound that the file exceeds, in bytes; nil for other errors.
    private let limit: Int?

    /// Creates an error.
    /// - Parameters:
    ///   - operation: The operation that failed.
    ///   - path: The file or directory.
    ///   - errorNumber: The system's error number; the thread's `errno` by default.
    package init(_ operation: Operation, path: String, errorNumber: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.errorNumber = errorNumber
        limit = nil
    }

    /// Creates the error of a file that is larger than its reader allows.
    package init(tooLarge path: String, limit: Int) {
        (operation, self.path, errorNumber, self.limit) = (.read, path, EFBIG, limit)
    }

    /// A sentence with the operation, the path and the cause.
    package var description: String { "cannot \(operation.rawValue) \(path): \(reason)" }

    private var reason: String {
        if let limit { return "it is larger than \(limit) bytes" }
        if errorNumber == ELOOP { return "it is a symbolic link, which is not followed" }
        return String(cString: strerror(errorNumber))
    }
}
