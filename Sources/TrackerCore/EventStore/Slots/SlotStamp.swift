/// When the files of a slot were last changed.
///
/// A process that is killed leaves its events in the log and in the staging file; the database itself changes only when the log
/// is merged into it.
struct SlotStamp: Equatable {
    private let database: FileStamp
    private let log: FileStamp?
    private let staging: FileStamp?

    /// Looks at the files of a slot; nil if it has no database.
    /// - Parameters:
    ///   - slot: The slot.
    ///   - directory: The directory that it is in.
    init?(of slot: Int, in directory: String) {
        let file = StateDirectory.file(slot, in: directory)
        guard let database = FileStamp(file, followsLinks: false) else { return nil }
        self.database = database
        log = FileStamp("\(file)-wal", followsLinks: false)
        staging = FileStamp(StagingFile.path(slot, in: directory), followsLinks: false)
    }
}
