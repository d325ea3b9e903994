import TrackerConfig

/// The reason why a ``WebConsole`` rejects a request.
struct ConsoleError: Error, Equatable {
    /// The status of the response.
    let status: Int
    /// The sentence for the page.
    let reason: String
    var headers: [HTTPHeader] = []

    init(_ status: Int, _ reason: String, headers: [HTTPHeader] = []) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }

    static func notAllowed(_ methods: String) -> ConsoleError {
        ConsoleError(405, "method not allowed; use \(methods)", headers: [HTTPHeader(name: "Allow", value: methods)])
    }
}
