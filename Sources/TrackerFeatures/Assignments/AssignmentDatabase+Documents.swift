import FoundationEssentials

extension AssignmentDatabase {
    /// So long the experiments stay of a document that no process has used, because its URL is another now or its process
    /// does not run; the two cannot be distinguished.
    static let retention = Duration.seconds(90 * 86_400)

    /// How exact the times of documents are, so that not each write changes them.
    private static let precision: Int64 = 86_400_000

    /// Removes the assignments of experiments that no document has any more.
    /// - Parameters:
    ///   - experiments: The keys of the experiments that a document has now; they replace those that it had.
    ///   - document: The document.
    ///   - now: The present. Documents that were last used longer than ``retention`` before count no more.
    /// - Throws: If they cannot be removed; those of earlier transactions are.
    func retain(
        _ experiments: Set<ExactText>, for document: String, at now: Date
    ) throws(EventStoreError) {
        let oldest = now.milliseconds - Int64(Self.retention / .milliseconds(1))
        try database.transaction { () throws(EventStoreError) in
            try database.prepare("DELETE FROM documents WHERE document = ? OR time < ?")
                .bind(1, document).bind(2, oldest).run()
            try claim(experiments, for: document, at: now)
        }
        for experiment in try self.experiments() where !experiments.contains(ExactText(experiment)) {
            // Looked at with each part, because another process may begin to use the experiment.
            try delete("experiment = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE experiment = ?1)") {
                (statement) throws(EventStoreError) in try statement.bind(1, experiment)
            }
        }
    }

    /// Notes that a document has experiments.
    func claim(
        _ experiments: Set<ExactText>, for document: String, at now: Date
    ) throws(EventStoreError) {
        let claim = try database.prepare(
            """
            INSERT INTO documents (document, experiment, time) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET time = excluded.time WHERE time < excluded.time - \(Self.precision)
            """)
        for experiment in experiments {
            try claim.bind(1, document).bind(2, experiment.text).bind(3, now.milliseconds).run()
        }
    }

    /// Notes that a document is in use.
    func touch(_ document: String, at now: Date) throws(EventStoreError) {
        try database.prepare("UPDATE documents SET time = ?1 WHERE document = ?2 AND time < ?1 - \(Self.precision)")
            .bind(1, now.milliseconds).bind(2, document).run()
    }

    /// Whether the former file of a document was taken over as a whole.
    func hasTaken(_ document: String) throws(EventStoreError) -> Bool {
        try database.prepare("SELECT count(*) FROM taken WHERE document = ?").bind(1, document).number() ?? 0 > 0
    }

    /// Notes that the former file of a document was taken over.
    func noteTaken(_ document: String) throws(EventStoreError) {
        try database.prepare("INSERT INTO taken (document) VALUES (?) ON CONFLICT DO NOTHING").bind(1, document).run()
    }

    /// Adds rows of another file.
    /// - Parameters:
    ///   - assignments: The rows.
    ///   - document: The document that they were stored for.
    ///   - keepsEarlier: Whether the earlier of two rows of a unit and an experiment counts; else the one that is here.
    ///   - now: The present.
    /// - Throws: If they cannot be added.
    func add(
        _ assignments: [StickyAssignment], of document: String, keepsEarlier: Bool, at now: Date
    ) throws(EventStoreError) {
        let conflict =
            keepsEarlier
            ? "DO UPDATE SET variant = excluded.variant, time = excluded.time WHERE excluded.time < time" : "DO NOTHING"
        let insert = try database.prepare(
            """
            INSERT INTO assignments (experiment, unit, id, variant, time) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT \(conflict)
            """)
        try database.transaction { () throws(EventStoreError) in
            // With the rows, so that no other document finds experiments that none has.
            try claim(Set(assignments.map { ExactText($0.experiment) }), for: document, at: now)
            for assignment in assignments { try insert.bind(assignment).run() }
        }
    }
}
