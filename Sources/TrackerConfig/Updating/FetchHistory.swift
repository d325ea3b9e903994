/// The newest fetches and when the next one is due.
package struct FetchHistory: Sendable {
    private static let maxRecords = 50

    /// The newest first.
    package private(set) var records: [FetchRecord] = []

    /// When the next fetch is due, in milliseconds since 1970; nil if the setup does not poll.
    package var nextPoll: Int64?

    mutating func add(_ record: FetchRecord) {
        records = [record] + records.prefix(Self.maxRecords - 1)
    }
}
