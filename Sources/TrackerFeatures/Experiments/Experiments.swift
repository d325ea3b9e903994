import Synchronization

/// The experiments of a document, which give variants to units.
///
/// An assignment depends only on the document and the unit's id, so all processes of a fleet agree. The assignments of
/// sticky experiments are stored, and do not change with the weights.
///
/// ```swift
/// let context = FeatureContext(units: ["userId": "u-1"], country: "US", language: "en")
/// let assignment = setup.experiments.variant(of: "checkout_01", default: "control", for: context)
/// print(assignment.variant, assignment.reason)
/// ```
public final class Experiments: Sendable {
    /// A condition in code.
    typealias Condition = @Sendable (FeatureContext) -> Bool

    /// An exposure of a unit: a variant of an experiment with some content.
    struct Exposure: Sendable, Hashable {
        let experiment: ExactText
        let variant: ExactText
        /// ``CompiledExperiment/digest``.
        let content: Int
    }

    struct State: Sendable {
        var conditions: [ExactText: Condition] = [:]
        /// The exposures that this process remembers, and their number; all are removed when there are too many.
        var exposures: [ExperimentUnit: [Exposure]] = [:]
        var exposureCount = 0
    }

    /// The dependencies of experiments.
    package struct Parts: Sendable {
        /// The tracker of a namespace.
        package var tracker: @Sendable (String) -> Tracker? = { _ in nil }
        package var options = ExperimentOptions()
        /// The file of the embedded store; nil if no directory is known.
        package var storePath: String?
        var log: Log
        package var time: any TimeSource = SystemTime()
        /// The approximate number of assignments that the embedded store keeps.
        var storeLimit = 1_000_000
        /// The maximum number of units with remembered assignments, and of remembered exposures.
        package var memoryLimit = 250_000
        /// The maximum number of units with assignments that wait for the store.
        package var outboxLimit = 100_000

        package init(log: Log = Log(nil, level: .off)) { self.log = log }
    }

    /// The features with the experiments in use.
    let features: FeatureStore
    let parts: Parts
    let sticky: StickyAssignments
    let state = Locked(State())
    /// The clock of schedules.
    package let clock: ScheduleClock
    /// Whether exposures are remembered.
    let remembersExposures: Bool
    /// Avoids a lock that all threads share; most services have no conditions.
    let hasConditions = Atomic<Bool>(false)

    package init(_ features: FeatureStore, _ parts: Parts) {
        (self.features, self.parts) = (features, parts)
        clock = ScheduleClock(parts.time, log: parts.log)
        remembersExposures = !parts.options.exposureNamespaces.isEmpty || !parts.options.entityNamespaces.isEmpty
        sticky = StickyAssignments(parts)
    }

    /// Opens the store if experiments need it, and retries if it could not be opened. Called before the experiments are
    /// in use.
    /// - Parameter table: The experiments.
    /// - Returns: Warnings about the store.
    func open(for table: ExperimentTable) -> [ConfigurationError] { table.stickyUnits.isEmpty ? [] : sticky.open() }

    /// Loads the assignments of a context's units from a shared store, so that
    /// ``variant(of:default:for:recordsExposure:)`` need not wait for it. It waits at most 1 s for each unit, and
    /// returns at once if the task is cancelled.
    /// - Parameter context: The units. Units that no sticky experiment uses are ignored.
    public func prepare(for context: FeatureContext) async {
        for name in features.layers.experiments.stickyUnits {
            if let unit = context.unit(name.text) { await sticky.load(unit) }
        }
    }

    /// Removes all assignments of a unit, for example because a person requests it: stored assignments, pending ones,
    /// and all that this process remembers of the unit.
    ///
    /// If the unit is evaluated again, it gets variants and records exposures anew. Another process with the same store
    /// may use remembered assignments of the unit for five minutes. After that it reads the embedded store again; a
    /// shared store is read in the background, and remembered assignments are used until it has answered.
    ///
    /// ```swift
    /// let count = try await setup.experiments.forget(ExperimentUnit(name: "userId", id: "u-1"))
    /// ```
    /// - Parameter unit: The unit.
    /// - Returns: The number of removed assignments, including those that were not stored yet.
    /// - Throws: An error of the store, if it cannot be opened, fails, or takes longer than 10 s. Then stored
    ///   assignments may remain, so try again.
    public func forget(_ unit: ExperimentUnit) async throws -> Int {
        state.withLock { state in state.exposureCount -= state.exposures.removeValue(forKey: unit)?.count ?? 0 }
        return try await sticky.forget(unit)
    }

    /// Waits until the store of assignments has received all of them.
    /// - Parameter timeout: The longest wait.
    /// - Returns: Whether it finished in time.
    @discardableResult
    package func flush(timeout: Duration) async -> Bool { await sticky.flush(timeout: timeout) }

    /// Sets a condition in code for an experiment, in addition to its countries and languages.
    /// - Parameters:
    ///   - id: The experiment's id.
    ///   - condition: Returns whether a context takes part; called on the evaluating thread and outside all locks. nil
    ///     removes the condition.
    public func setCondition(for id: String, _ condition: (@Sendable (FeatureContext) -> Bool)?) {
        // Releasing a closure may run the deinit of its objects, which is user code.
        state.discard { state in
            let old = state.conditions[exactly: id]
            state.conditions[exactly: id] = condition
            hasConditions.store(!state.conditions.isEmpty, ordering: .releasing)
            return old
        }
    }

    /// The numbers of exposures and sticky assignments so far, by outcome.
    package var counters: ExperimentCounters { sticky.state.withLock { $0.counters } }
}
