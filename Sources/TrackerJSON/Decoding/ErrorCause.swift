/// The error that led to another error. Errors that differ only in their cause are equal.
package struct ErrorCause: Sendable, Hashable {
    /// nil if there was none.
    package let error: (any Error)?

    package init(_ error: (any Error)?) { self.error = error }

    package static func == (_: ErrorCause, _: ErrorCause) -> Bool { true }

    package func hash(into _: inout Hasher) {}
}
