public import Glibc

/// Why a file or a directory could not be used.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried.
    @nonexhaustive
    public enum Operation: String, Sendable, Hashable {
        /// Making a directory.
        case createDirectory = "make the directory"
        /// Opening a file.
        case open = "open"
        /// Reading a file.
        case read = "read"
        /// Writing a file.
        case write = "write"
        /// Locking a file.
        case lock
        /// Giving a file its final name.
        case rename = "rename"
    }

    /// What was tried.
    public let operation: Operation

    /// The file or directory.
    public let path: String

    /// The system's error number.
    public let errorNumber: Int32

    /// The bound that the file exceeds, in bytes; nil if that is not the error.
    private let limit: Int?

    /// Creates an error.
    /// - Parameters:
    ///   - operation: What was tried.
    ///   - path: The file or directory.
    ///   - errorNumber: The system's error number; the thread's `errno` by default.
    public init(_ operation: Operation, path: String, errorNumber: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.errorNumber = errorNumber
        limit = nil
    }

    /// Creates the error of a file that is larger than its reader allows.
    package init(tooLarge path: String, limit: Int) {
        (operation, self.path, errorNumber, self.limit) = (.read, path, EFBIG, limit)
    }

    /// A sentence that says what failed, where and why.
    public var description: String { "cannot \(operation.rawValue) \(path): \(reason)" }

    private var reason: String {
        if let limit { return "it is larger than \(limit) bytes" }
        if errorNumber == ELOOP { return "it is a symbolic link, which is not followed" }
        return String(cString: strerror(errorNumber))
    }
}
