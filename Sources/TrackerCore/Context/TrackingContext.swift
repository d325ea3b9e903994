/// The context of a request: the subject and the entities of its events, and the context in which features are
/// evaluated.
///
/// A middleware binds one to each request with ``withTrackingContext(_:operation:)``; all code that it calls, child
/// tasks included, then tracks and evaluates for that request. A detached task has no context.
///
/// ```swift
/// let context = TrackingContext(
///     subject: EventSubject(userID: "u-1", ipAddress: "203.0.113.7"),
///     evaluation: FeatureContext(userID: "u-1"))
/// try await withTrackingContext(context) { try await respond(to: request) }
/// ```
///
/// To extend the bound context, change a copy and bind the copy:
///
/// ```swift
/// var context = TrackingContext.current ?? TrackingContext()
/// context.entities.append(order)
/// withTrackingContext(context) { setup.tracker("shop")?.track(event) }
/// ```
public struct TrackingContext: Sendable {
    /// The subject of the events.
    public var subject: EventSubject

    /// Entities that every event carries.
    public var entities: [Entity]

    /// The context in which features and experiments are evaluated if a read names no context; nil skips experiments.
    public var evaluation: FeatureContext?

    /// The id of the request's trace, the `trace-id` of W3C Trace Context, by which ``Sampling`` can select events.
    public var traceID: String?

    /// A context that is bound to a task. A class, so that reading a part does not copy the rest.
    final class Bound: Sendable {
        let context: TrackingContext

        init(_ context: TrackingContext) {
            self.context = context
        }
    }

    @TaskLocal static var bound: Bound?

    /// The context that is bound to the task; nil if there is none.
    public static var current: TrackingContext? { bound?.context }

    /// Creates a context.
    /// - Parameters:
    ///   - subject: The subject of the events.
    ///   - entities: Entities that every event carries; none by default. Events carry a `ClientSession` only if they
    ///     are about the same user as this context.
    ///   - evaluation: The context in which features and experiments are evaluated; nil, the default, skips
    ///     experiments.
    ///   - traceID: The id of the request's trace; nil by default.
    public init(
        subject: EventSubject = EventSubject(), entities: [Entity] = [], evaluation: FeatureContext? = nil,
        traceID: String? = nil
    ) {
        self.subject = subject
        self.entities = entities
        self.evaluation = evaluation
        self.traceID = traceID
    }
}

/// Binds a context to the task while an operation runs.
/// - Parameters:
///   - context: The context; nil unbinds the current one.
///   - operation: The code that runs with the context.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation.
public func withTrackingContext<Value, Failure: Error>(
    _ context: TrackingContext?, operation: () throws(Failure) -> Value
) throws(Failure) -> Value {
    try TrackingContext.$bound.withValue(context.map(TrackingContext.Bound.init)) { Result(catching: operation) }.get()
}

/// Binds a context to the task while an asynchronous operation runs.
/// - Parameters:
///   - context: The context; nil unbinds the current one.
///   - isolation: The caller's actor, on which the operation runs.
///   - operation: The code that runs with the context.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation.
public func withTrackingContext<Value, Failure: Error>(
    _ context: TrackingContext?, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await TrackingContext.$bound.withValue(
        context.map(TrackingContext.Bound.init),
        operation: { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }, isolation: isolation
    ).get()
}
