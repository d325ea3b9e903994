public import TrackerCore

/// The error of a fetch that returned no document.
public struct FetchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public let code: NamedCode<FetchError>

    /// The description of the failure, as a sentence, without the URL.
    public let reason: String

    /// The fetched URL without secrets; nil for other failures.
    package var url: String?

    /// The wait that the server requested (`Retry-After`); nil if it requested none.
    public let retryAfter: Duration?

    /// The status of the response; nil if there was no response.
    public let status: Int?

    /// The underlying error; nil if there is none. Comparisons of errors ignore it.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The description of the failure, as a sentence.
    ///   - retryAfter: The wait that the server requested.
    ///   - status: The status of the response.
    ///   - cause: The underlying error; nil by default.
    public init(
        _ code: NamedCode<FetchError>, reason: String, retryAfter: Duration? = nil, status: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.status = status
        underlying = ErrorCause(cause)
    }

    /// The failure as a sentence, with the URL without user, password and the values of its query:
    /// `cannot fetch https://config.example.com/trackers.json: status 404`.
    public var description: String { url.map { "cannot fetch \($0): \(reason)" } ?? reason }
}

/// The kinds of error.
extension NamedCode<FetchError> {
    /// The server answered with a status other than 200 and 304; see ``FetchError/status``.
    public static var status: Self { Self(rawValue: "status") }

    /// The request timed out.
    public static var timeout: Self { Self(rawValue: "timeout") }

    /// The document is larger than allowed.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }

    /// More redirects than allowed, or a redirect that must not be followed.
    public static var redirect: Self { Self(rawValue: "redirect") }

    /// The file cannot be read.
    public static var file: Self { Self(rawValue: "file") }

    /// The setup was shut down, or the task was cancelled.
    public static var shutDown: Self { Self(rawValue: "shutDown") }

    /// A stream of events could not be opened, or broke.
    public static var stream: Self { Self(rawValue: "stream") }

    /// Another failure of the network: no connection, an unknown host, or an invalid response.
    public static var transport: Self { Self(rawValue: "transport") }
}
