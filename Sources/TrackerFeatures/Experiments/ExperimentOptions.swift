/// The options of ``Setup/experiments``; part of ``SetupOptions``.
public struct ExperimentOptions: Sendable {
    /// The namespaces whose trackers emit an event when a unit gets a variant; the schema is
    /// `iglu:io.tracker-config/exposure/jsonschema/1-0-1` in `Schemas/`. Built in: none.
    public var exposureNamespaces: [String] = []

    /// The namespaces whose events carry the document's version and the variants of the event's units: the units of
    /// ``TrackedEvent/evaluation``, or else its ``EventSubject/userID`` as the unit `userId`. The schema is
    /// `iglu:io.tracker-config/assignments/jsonschema/1-0-1` in `Schemas/`. Built in: none.
    public var entityNamespaces: [String] = []

    /// The store of sticky assignments; nil, the default, for a file in the state directory. The file stores about
    /// 1,000,000 assignments, about 100 MB; the oldest are removed first and counted by the
    /// metric `experiment_assignments_total`.
    public var assignmentStore: (any AssignmentStore)?

    /// Creates options with the default values.
    public init() {}
}
