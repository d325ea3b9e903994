import TrackerPlatform

/// An error of an event store.
package struct EventStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package let code: NamedCode<EventStoreError>

    /// The reason, as a sentence.
    package let reason: String

    /// The error that led to this one; nil if there is none. Comparisons of errors ignore it.
    package var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The reason, as a sentence.
    ///   - cause: The error that led to this one; nil by default.
    package init(_ code: NamedCode<EventStoreError>, reason: String, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        underlying = ErrorCause(cause)
    }

    /// The reason, as a sentence.
    package var description: String { reason }
}

extension EventStoreError {
    /// The failure of an operation on a file.
    init(_ operation: FileError.Operation, _ path: String, _ errorNumber: Int32 = errno) {
        self.init(FileError(operation, path: path, errorNumber: errorNumber))
    }

    private init(_ failure: FileError) {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(failure.errorNumber)
        self.init(isFull ? .full : .unavailable, reason: failure.description, cause: failure)
    }

    /// Runs `body`, and throws its error as an error of the store.
    static func converted<Result>(_ body: () throws(FileError) -> Result) throws(EventStoreError) -> Result {
        do throws(FileError) { return try body() } catch { throw EventStoreError(error) }
    }
}

/// The kinds of error.
extension NamedCode<EventStoreError> {
    /// The disk is full.
    package static var full: Self { Self(rawValue: "full") }

    /// The file is damaged, of another kind or of a later release.
    package static var corrupt: Self { Self(rawValue: "corrupt") }

    /// The file or its directory cannot be opened or written.
    package static var unavailable: Self { Self(rawValue: "unavailable") }

    /// Another process uses the file.
    package static var busy: Self { Self(rawValue: "busy") }

    /// Another failure.
    package static var failed: Self { Self(rawValue: "failed") }
}
