/// The sources of one event's subject above the tracker's own, the highest in precedence first.
struct SubjectLayers {
    /// What the event and the caller say.
    let explicit: EventSubject?
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

    /// For whom features are evaluated; nil if no source says.
    var evaluation: FeatureContext? { scoped?.evaluation ?? bound?.evaluation }

    /// The id of the request's trace; nil if no source says.
    var traceID: String? { scoped?.traceID ?? bound?.traceID }

    /// The entities of the contexts.
    var entities: [Entity] { (scoped?.entities ?? []) + (bound?.entities ?? []) }

    /// Why the event cannot be written; nil if it can.
    var fault: String? { scoped?.fault ?? bound?.fault }

    /// The first context that has a session of the event's user; nil if there is none.
    var sessionContext: TrackingContext? {
        if let scoped, scoped.hasClientSession, isAbout(userOf: scoped.subject, before: scoped) { return scoped }
        if let bound, bound.hasClientSession, isAbout(userOf: bound.subject, before: bound) { return bound }
        return nil
    }

    /// Whether a source above the tracker's settings asks for anonymity.
    var isAnonymous: Bool {
        explicit?.isAnonymous == true || scoped?.subject.isAnonymous == true || bound?.subject.isAnonymous == true
    }

    /// Whether the event is about the user of another subject: no source names another user or session.
    /// - Parameters:
    ///   - subject: The other subject.
    ///   - end: The source from which on everything is the other subject's; nil looks at all.
    /// - Returns: False if a source names another user or session, or clears the user's.
    func isAbout(userOf subject: EventSubject, before end: TrackingContext? = nil) -> Bool {
        var undecided = EventSubject.Fields.identity
        func agrees(_ source: EventSubject, _ decided: EventSubject.Fields) -> Bool {
            let asked = decided.intersection(undecided)
            undecided.subtract(decided)
            return asked.isEmpty
                || [.userID, .domainUserID, .domainSessionID].allSatisfy { field in
                    !asked.contains(field) || source.identity(field) == subject.identity(field)
                }
        }
        if let explicit, !agrees(explicit, explicit.decided) { return false }
        for context in [scoped, bound] {
            guard let context else { continue }
            if context === end { return true }
            if !agrees(context.subject, context.encoded.decided) { return false }
        }
        return true
    }

    /// The subject of the event, merged over the tracker's, before anonymisation.
    func merged(over settings: EffectiveSettings) -> EventSubject {
        var subject = explicit ?? EventSubject()
        if let scoped { subject.merge(over: scoped.subject) }
        if let bound { subject.merge(over: bound.subject) }
        var base = settings.subjectParameters.subject
        // A location belongs to a user.
        if !isAbout(userOf: base) { base.location = nil }
        subject.merge(over: base)
        subject.isAnonymous = subject.isAnonymous || settings.isUserAnonymous
        return subject
    }

    /// The location of the event; the outer nil if the tracker's subject decides it.
    var location: GeoLocation?? {
        for subject in [explicit, scoped?.subject, bound?.subject] {
            if let location = subject?.location { return .some(location) }
            if subject?.cleared.contains(.location) == true { return .some(nil) }
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
        if let explicit {
            let chosen = explicit.fields.intersection(rest)
            var bits = chosen.rawValue
            while bits != 0 {
                let field = EventSubject.Fields(rawValue: bits & ~(bits - 1))
                if let parameter = explicit.write(field, to: &writer) { truncated.append(parameter) }
                bits &= bits - 1
            }
            rest.subtract(explicit.decided)
        }
        if let scoped { scoped.encoded.write(taking: &rest, to: &writer, truncated: &truncated) }
        if let bound { bound.encoded.write(taking: &rest, to: &writer, truncated: &truncated) }
        settings.subjectParameters.write(taking: &rest, to: &writer, truncated: &truncated)
    }
}

extension EncodedSubject {
    /// Appends the parameters of the fields that are left, and takes from them what the subject decides.
    func write(
        taking rest: inout EventSubject.Fields, to writer: inout ByteWriter, truncated: inout [AtomicField]
    ) {
        write(rest, to: &writer)
        for (field, parameter) in self.truncated where rest.contains(field) { truncated.append(parameter) }
        rest.subtract(decided)
    }
}
