/// The newest fetches and when the next one is due.
struct FetchHistory: Sendable {
    private static let mostRecords = 50

    /// The newest first.
    private(set) var records: [FetchRecord] = []

    /// When the next fetch is due, in milliseconds since 1970; nil where nobody polls.
    var nextPoll: Int64?

    mutating func add(_ record: FetchRecord) {
        records = [record] + records.prefix(Self.mostRecords - 1)
    }
}
