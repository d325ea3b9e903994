/// The sources of one event's subject above the tracker's own, the highest in precedence first.
struct SubjectLayers {
    /// What the event and the caller say.
    private let explicit: EventSubject?
    /// What a scoped tracker says.
    let scoped: TrackingContext?
    /// What is bound to the task.
    let bound: TrackingContext?

    /// - Parameters:
    ///   - own: What the event says by its nature.
    ///   - argument: What the caller says.
    ///   - scoped: The context of a scoped tracker.
    ///   - bound: The context that is bound to the task.
    init(own: EventSubject?, argument: EventSubject?, scoped: TrackingContext?, bound: TrackingContext?) {
        if var own {
            if let argument { own.merge(over: argument) }
            explicit = own
        } else {
            explicit = argument
        }
        self.scoped = scoped
        // A scope within its own request is one source.
        self.bound = scoped === bound ? nil : bound
    }

    /// Whether the tracker's subject decides everything.
    var isEmpty: Bool { explicit == nil && scoped == nil && bound == nil }

    /// The context in which features are evaluated; nil if no source says.
    var evaluation: FeatureContext? { scoped?.evaluation ?? bound?.evaluation }

    /// The id of the request's trace; nil if no source says.
    var traceID: String? { scoped?.traceID ?? bound?.traceID }

    /// The entities of the contexts, of sessions only the one that the event carries.
    func entities(besides own: [Entity]) -> [Entity] {
        guard hasClientSession else { return (scoped?.entities ?? []) + (bound?.entities ?? []) }
        let session = own.contains(where: \.isClientSession) ? nil : sessionContext
        func entities(_ context: TrackingContext?) -> [Entity] {
            (context?.entities ?? []).filter { context === session || !$0.isClientSession }
        }
        return entities(scoped) + entities(bound)
    }

    /// Why the event cannot be written; nil if it can.
    var fault: String? { scoped?.fault ?? bound?.fault }

    /// Whether the schemas of all entities of the contexts are Iglu URIs.
    var haveIgluSchemas: Bool { scoped?.haveIgluSchemas != false && bound?.haveIgluSchemas != false }

    /// The first context that has a session of the event's user; nil if there is none.
    var sessionContext: TrackingContext? {
        for context in [scoped, bound] {
            if let context, context.hasClientSession, isAbout(userOf: context.subject, before: context) {
                return context
            }
        }
        return nil
    }

    /// Whether a context has a session, of whichever user.
    var hasClientSession: Bool { scoped?.hasClientSession == true || bound?.hasClientSession == true }

    /// Whether a source above the tracker's settings asks for anonymity.
    var isAnonymous: Bool {
        explicit?.isAnonymous == true || scoped?.subject.isAnonymous == true
            || bound?.subject.isAnonymous == true
    }

    /// Whether the event is about the user of another subject: no source names another user or session.
    /// - Parameters:
    ///   - subject: The other subject.
    ///   - end: The context from which on everything is the other subject's; nil looks at all.
    /// - Returns: False if a source names another user or session, or clears the user's.
    func isAbout(userOf subject: EventSubject, before end: TrackingContext? = nil) -> Bool {
        var undecided = EventSubject.Fields.identity
        if let explicit, !explicit.agrees(with: subject, &undecided) { return false }
        if let scoped {
            if scoped === end { return true }
            if !scoped.subject.agrees(with: subject, &undecided) { return false }
        }
        guard let bound, bound !== end else { return true }
        return bound.subject.agrees(with: subject, &undecided)
    }

    /// The subject of the event, merged over the tracker's, before anonymisation.
    func merged(over settings: EffectiveSettings) -> EventSubject {
        var subject = explicit ?? EventSubject()
        if let scoped { subject.merge(over: scoped.subject) }
        if let bound { subject.merge(over: bound.subject) }
        var base = settings.encodedSubject.subject
        // A location belongs to a user.
        if !isAbout(userOf: base) { base.location = nil }
        subject.merge(over: base)
        subject.isAnonymous = subject.isAnonymous || settings.isUserAnonymous
        return subject
    }

    /// The location of the event; the outer nil if the tracker's subject decides it.
    var location: GeoLocation?? {
        for subject in [explicit, scoped?.subject, bound?.subject] {
            if let subject, subject.decided.contains(.location) { return .some(subject.location) }
        }
        return nil
    }

    /// Appends the parameters of all sources, each field once.
    /// - Parameters:
    ///   - writer: Where to.
    ///   - settings: The settings, whose subject comes last.
    ///   - fields: The fields that may be written.
    ///   - truncated: Gets the parameters whose values were cut or left out.
    func write(
        to writer: inout ByteWriter, over settings: EffectiveSettings, _ fields: EventSubject.Fields,
        truncated: inout [AtomicField]
    ) {
        var rest = fields
        explicit?.write(taking: &rest, to: &writer, truncated: &truncated)
        scoped?.encoded.write(taking: &rest, to: &writer, truncated: &truncated)
        bound?.encoded.write(taking: &rest, to: &writer, truncated: &truncated)
        settings.encodedSubject.write(taking: &rest, to: &writer, truncated: &truncated)
    }
}
