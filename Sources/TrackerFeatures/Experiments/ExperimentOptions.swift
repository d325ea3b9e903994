/// The options of ``Setup/experiments``; part of ``SetupOptions``.
public struct ExperimentOptions: Sendable {
    /// The namespaces whose trackers emit an event when a unit is given a variant; the schema is
    /// `iglu:io.tracker-config/exposure/jsonschema/1-0-0` in `Schemas/`. Built in: none.
    public var exposureNamespaces: [String] = []

    /// The namespaces whose events carry the document's version and the variants that the event's units were given: those
    /// of ``TrackedEvent/evaluation``, and without these its ``EventSubject/userID`` as the unit `userId`. The schema is `iglu:io.tracker-config/assignments/jsonschema/1-0-0` in `Schemas/`. Built in: none.
    public var entityNamespaces: [String] = []

    /// The store of sticky assignments; nil, the default, for a file in the state directory. If the document's URL
    /// contains `{user}`, no assignment is removed, because another user's document may have an experiment that this
    /// one does not have.
    public var assignmentStore: (any AssignmentStore)?

    /// The longest time for which ``assignmentStore`` may look up a unit; `save` and `forget` may take ten times as
    /// long. After that the call is cancelled and counted as ``ExperimentCounters/storeTimeouts``, and the evaluation
    /// continues as if it had failed. Built in: 1 s; less than 1 ms becomes 1 ms.
    public var storeTimeout: Duration = .seconds(1)

    /// The approximate number of assignments that the file in the state directory keeps, at least 1; the oldest are
    /// removed first and counted as ``ExperimentCounters/assignmentsEvicted``, and their units are assigned anew. Each
    /// process counts separately, so each can add a hundredth to the number. 1,000,000 by default, about 100 MB; an
    /// ``assignmentStore`` of the service's own has its own limits.
    public var maxStoredAssignments = 1_000_000

    /// Creates options with the default values.
    public init() {}
}
