/// The sources of one event's subject above the tracker's own, the highest in precedence first.
struct SubjectLayers {
    /// The merged subject of the event and the caller.
    private let explicit: EventSubject?
    /// The context that is bound to the task.
    let bound: TrackingContext?

    /// - Parameters:
    ///   - own: The subject of the event itself.
    ///   - argument: The subject that the caller passes.
    ///   - bound: The context that is bound to the task.
    init(own: EventSubject?, argument: EventSubject?, bound: TrackingContext?) {
        if var own {
            if let argument { own.merge(over: argument) }
            explicit = own
        } else {
            explicit = argument
        }
        self.bound = bound
    }

    /// Whether only the tracker's subject applies.
    var isEmpty: Bool { explicit == nil && bound == nil }

    /// The context in which features are evaluated; nil if no source has one.
    var evaluation: FeatureContext? { bound?.evaluation }

    /// The id of the request's trace; nil if no source has one.
    var traceID: String? { bound?.traceID }

    /// The entities of the context; its session only if the event carries no other session and is about the same user.
    func entities(besides own: [Entity]) -> [Entity] {
        guard let bound, bound.entities.contains(where: \.isClientSession) else { return bound?.entities ?? [] }
        var undecided = EventSubject.Fields.identity
        let isOfUser = explicit?.agrees(with: bound.subject, &undecided) != false
        let hasSession = isOfUser && !own.contains(where: \.isClientSession)
        return bound.entities.filter { hasSession || !$0.isClientSession }
    }

    /// Whether a source above the tracker's settings asks for anonymity.
    var isAnonymous: Bool { explicit?.isAnonymous == true || bound?.subject.isAnonymous == true }

    /// Whether the event is about the user of another subject: no source names another user or session.
    func isAbout(userOf subject: EventSubject) -> Bool {
        var undecided = EventSubject.Fields.identity
        return explicit?.agrees(with: subject, &undecided) != false
            && bound?.subject.agrees(with: subject, &undecided) != false
    }

    /// The subject of the event, merged over the tracker's, before anonymisation.
    func merged(over settings: EffectiveSettings) -> EventSubject {
        var subject = explicit ?? EventSubject()
        if let bound { subject.merge(over: bound.subject) }
        var base = settings.subject
        // A location belongs to a user, so it applies only to that user's events.
        if !isAbout(userOf: base) { base.location = nil }
        subject.merge(over: base)
        subject.isAnonymous = subject.isAnonymous || settings.isUserAnonymous
        return subject
    }

    /// The location of the event; the outer nil if the tracker's subject applies.
    var location: GeoLocation?? {
        for subject in [explicit, bound?.subject] {
            if let subject, subject.decided.contains(.location) { return .some(subject.location) }
        }
        return nil
    }

    /// Appends the parameters of all sources, each field once.
    /// - Parameters:
    ///   - writer: The writer of the parameters.
    ///   - settings: The settings, whose subject has the lowest precedence.
    ///   - fields: The fields that may be written.
    ///   - truncated: Receives the parameters whose values were truncated or left out.
    func write(
        to writer: inout ByteWriter, over settings: EffectiveSettings, _ fields: EventSubject.Fields,
        truncated: inout [AtomicField]
    ) {
        var rest = fields
        explicit?.write(taking: &rest, to: &writer, truncated: &truncated)
        bound?.subject.write(taking: &rest, to: &writer, truncated: &truncated)
        settings.subject.write(taking: &rest, to: &writer, truncated: &truncated)
    }
}
