/// Decides when a namespace's failing delivery is logged: at the first failure, every five minutes while it lasts, and once
/// when it works again.
struct DeliveryLogSchedule: Sendable {
    static let interval = Duration.seconds(300)

    private var since: Duration?
    private var lastLine = Duration.zero

    /// Notes a failed pass.
    /// - Returns: For how long delivery has failed, if that is to be logged now.
    mutating func failed(at uptime: Duration) -> Duration? {
        guard let since else {
            (since, lastLine) = (uptime, uptime)
            return .zero
        }
        guard uptime - lastLine >= Self.interval else { return nil }
        lastLine = uptime
        return uptime - since
    }

    /// Notes that events were delivered.
    /// - Returns: For how long delivery had failed, if it had.
    mutating func succeeded(at uptime: Duration) -> Duration? {
        defer { since = nil }
        return since.map { uptime - $0 }
    }
}
