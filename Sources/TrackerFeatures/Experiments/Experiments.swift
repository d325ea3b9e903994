import Synchronization

/// The experiments of a document, which give variants to units.
///
/// An assignment depends only on the document and the unit's id, so all processes of a fleet agree. The assignment of a
/// sticky experiment is stored, and stays when the weights change.
///
/// ```swift
/// let context = FeatureContext(units: ["userId": "u-1"], country: "US", language: "en")
/// let assignment = setup.experiments.variant(of: "checkout_01", default: "control", for: context)
/// print(assignment.variant, assignment.reason)
/// ```
public final class Experiments: Sendable {
    /// A condition in code.
    typealias Condition = @Sendable (FeatureContext) -> Bool

    /// Where sticky assignments are kept.
    enum Store: Sendable {
        /// Nothing was sticky so far.
        case closed
        /// It cannot be used.
        case unavailable
        case open(any AssignmentStore)
    }

    /// What was logged and has not gone well since.
    struct Outages: OptionSet, Sendable {
        let rawValue: Int
        static let reading = Outages(rawValue: 1)
        static let writing = Outages(rawValue: 2)
    }

    struct State: Sendable {
        var memory: AssignmentCache
        var outbox: AssignmentOutbox
        var forgotten = ForgottenExperiments()
        var store = Store.closed
        /// The keys under which assignments are stored.
        var sticky: Set<ExactText> = []
        var loads: [ExperimentUnit: Load] = [:]
        var lastLoad = 0
        /// Calls of the store that were given up and are not over.
        var abandonedCalls = 0
        var conditions: [ExactText: Condition] = [:]
        var counters = ExperimentCounters()
        var outages: Outages = []
        /// Until when, by the uptime, nothing is kept or loaded unasked, after a failure.
        var quietUntil: (writing: Duration, reading: Duration) = (.zero, .zero)
        var isDraining = false
        var flushes: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastFlush = 0
    }

    /// What experiments work with.
    package struct Parts: Sendable {
        /// The tracker of a namespace.
        package var tracker: @Sendable (String) -> Tracker?
        package var options: ExperimentOptions
        /// The file of the embedded store; nil if no directory is known.
        package var storePath: String?
        /// The document in that file, by which experiments are kept apart that another document of the service has.
        package var storeDocument = ""
        var log: Log
        package var time: any TimeSource
        /// How many units, assignments and given variants together are remembered.
        var memoryLimit = 250_000
        /// How many assignments may wait for the store.
        var outboxLimit = 100_000

        package init(
            tracker: @escaping @Sendable (String) -> Tracker? = { _ in nil },
            options: ExperimentOptions = ExperimentOptions(), storePath: String? = nil,
            log: Log = Log(nil, level: .off), time: any TimeSource = SystemTime()
        ) {
            (self.tracker, self.options) = (tracker, options)
            (self.storePath, self.log, self.time) = (storePath, log, time)
        }
    }

    /// The features with the experiments in use.
    private let features: FeatureStore
    let parts: Parts
    let state: Locked<State>
    /// When schedules are.
    package let clock: ScheduleClock
    /// Whether it is remembered which variants units were given.
    let remembersGiven: Bool
    /// Most services have no conditions, and threads meet at each lock.
    let hasConditions = Atomic<Bool>(false)

    package init(_ features: FeatureStore, _ parts: Parts) {
        (self.features, self.parts) = (features, parts)
        clock = ScheduleClock(parts.time, log: parts.log)
        remembersGiven = !parts.options.exposureNamespaces.isEmpty || !parts.options.entityNamespaces.isEmpty
        state = Locked(
            State(
                memory: AssignmentCache(limit: parts.memoryLimit), outbox: AssignmentOutbox(limit: parts.outboxLimit)))
    }

    /// Returns the variant of an experiment for a context. Never waits for a network.
    ///
    /// The first time that a unit is given a variant, an exposure is recorded if ``ExperimentOptions`` enable that. If
    /// a sticky experiment's shared store must be read first, the variant is the default with the reason
    /// `notLoaded`, and the store is read in the background; see ``prepare(for:)``.
    /// - Parameters:
    ///   - id: The experiment's id.
    ///   - name: The variant if the experiment gives none; any text.
    ///   - context: The units, country and language to evaluate for; nil, the default, takes those of
    ///     ``TrackingContext/current``; without any there is no unit.
    ///   - recordsExposure: Whether the unit takes part; true by default. If false, the result is the same, but no exposure
    ///     is recorded and no assignment is stored.
    /// - Returns: The variant with the values that it overrides, and the reason.
    public func variant(
        of id: String, default name: String, for context: FeatureContext? = nil, recordsExposure: Bool = true
    ) -> ExperimentAssignment {
        let context = context.orCurrent ?? .empty
        let evaluation = evaluation(of: id, for: context, recordsExposure: recordsExposure)
        return ExperimentAssignment(id, evaluation, default: name)
    }

    /// The experiments in use.
    var table: ExperimentTable { features.layers.experiments }

    /// The experiments that went with a document's settings, those of the first table before all others; nil stands for the
    /// document in use.
    func tables(_ document: ExperimentTable?) -> [ExperimentTable] { features.layers.experiments(with: document) }

    private func evaluation(of id: String, for context: FeatureContext, recordsExposure: Bool) -> Evaluation {
        ReadBudget.open { budget in
            Evaluator(features, self, features.layers, for: context, records: recordsExposure, budget).evaluation(of: id)
        }
    }

    /// Sets a condition in code for taking part in an experiment, in addition to its countries and languages.
    /// - Parameters:
    ///   - id: The experiment's id.
    ///   - condition: Returns whether a context takes part; called on the thread that evaluates and outside all locks. nil
    ///     removes the condition.
    public func setCondition(for id: String, _ condition: (@Sendable (FeatureContext) -> Bool)?) {
        // The deinit of objects that a closure holds is user code too.
        state.discard { state in
            let old = state.conditions[exactly: id]
            state.conditions[exactly: id] = condition
            hasConditions.store(!state.conditions.isEmpty, ordering: .releasing)
            return old
        }
    }

    /// The numbers of exposures and sticky assignments so far, by outcome.
    public var counters: ExperimentCounters {
        state.withLock { state in
            var counters = state.counters
            counters.exposuresEvicted = state.memory.forgotten
            return counters
        }
    }
}
