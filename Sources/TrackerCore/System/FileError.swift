import Foundation

/// Why a file or a directory could not be used.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried.
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

    package init(_ operation: Operation, path: String, errorNumber: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.errorNumber = errorNumber
    }

    /// A sentence that says what failed, where and why.
    public var description: String {
        "cannot \(operation.rawValue) \(path): \(String(cString: strerror(errorNumber)))"
    }
}
