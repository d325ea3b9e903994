import FoundationEssentials

extension OverrideChange {
    /// The most changes of one kind at once that have an event each; more share one.
    static let maxEvents = 5

    /// The events of changes that happened at once, which have one cause.
    /// - Parameters:
    ///   - changes: The changes.
    ///   - time: The time when they happened.
    /// - Returns: The events, the oldest first.
    static func events(of changes: [OverrideChange], at time: Date) -> [OverrideHistory.Event] {
        var kinds: [OverrideHistory.Event.Kind] = []
        for change in changes where !kinds.contains(change.kind) { kinds.append(change.kind) }
        return kinds.flatMap { kind in
            let own = changes.filter { $0.kind == kind }
            return own.count > maxEvents
                ? [OverrideHistory.Event(kind, summary(of: own, kind), of: nil, at: time)]
                : own.map { $0.event(at: time) }
        }
    }

    /// The event of an override that the file has at the start; nil if it does not say when it was set.
    var startEvent: OverrideHistory.Event? {
        new.overrides.records[target]?.time.map { event(at: $0) }
    }

    private func event(at time: Date) -> OverrideHistory.Event {
        OverrideHistory.Event(
            kind, sentence(), withoutValues: sentence(hidesValues: true), of: target, at: time)
    }

    private var kind: OverrideHistory.Event.Kind {
        switch cause {
        case .expiry: .expired
        case .removal: .removed
        case .setting: old.overrides.value(of: target) == nil ? .set : .changed
        case .file, .start:
            switch (old.overrides.value(of: target), new.overrides.value(of: target)) {
            case (nil, _): .set
            case (_, nil): .removed
            default: .changed
            }
        }
    }

    /// `dana set checkout.retryLimit 3 → 12: INC-412`
    private func sentence(hidesValues: Bool = false) -> String {
        let isForced = if case .variant = target { true } else { false }
        let subject =
            isForced ? "the forced variant of \(Self.name(of: target))" : "the override of \(Self.name(of: target))"
        switch kind {
        case .expired:
            let author = old.overrides.records[target]?.details.by.map { " by \($0.name)" } ?? ""
            return "\(subject)\(author) expired"
        case .removed:
            if case .removal(let author?) = cause { return "\(author.name) removed \(subject)" }
            return "\(subject) was removed\(isOfFile ? " from the overrides file" : "")"
        case .set, .changed:
            let note = details?.note.map { ": \($0.oneLine(most: 200))" } ?? ""
            let place = isOfFile ? " in the overrides file" : ""
            let isRenewed = old.overrides.value(of: target) == new.overrides.value(of: target)
            let (verb, what, values) =
                if isRenewed {
                    ("renewed", subject, "")
                } else if isForced {
                    ("forced", variant, formerVariant)
                } else {
                    (kind == .set ? "set" : "changed", Self.name(of: target), hidesValues ? "" : shownValues)
                }
            let sentence =
                details?.by.map { "\($0.name) \(verb) \(what)\(values)" } ?? "\(what) was \(verb)\(values)"
            return sentence + place + note
        }
    }

    /// The author and the reason of an override that was set.
    private var details: OverrideDetails? {
        // Another thread may have changed it again.
        if case .setting(let details) = cause { details.bounded } else { new.overrides.records[target]?.details }
    }

    private var isOfFile: Bool { if case .file = cause { true } else { false } }

    /// What was in effect and is now; without the former value at the start, when the document is still to come.
    private var shownValues: String {
        guard !(old.hidesValues(of: target) || new.hidesValues(of: target)) else { return "" }
        let after = new.loggedValue(of: target, isHidden: false)
        if case .start = cause { return " to \(after)" }
        return " \(old.loggedValue(of: target, isHidden: false)) → \(after)"
    }

    private var variant: String {
        let variant = new.overrides.value(of: target)?.string ?? ""
        return "variant \(variant.oneLine(most: 100)) of \(Self.name(of: target))"
    }

    private var formerVariant: String {
        old.overrides.value(of: target)?.string.map { " in place of \($0.oneLine(most: 100))" } ?? ""
    }

    /// `dana removed 12 overrides: a.x, b.y, c.enabled, d.z, e.v and 7 more`
    private static func summary(of changes: [OverrideChange], _ kind: OverrideHistory.Event.Kind) -> String {
        let names = changes.prefix(maxEvents).map { name(of: $0.target) }.joined(separator: ", ")
        let list = "\(names) and \(changes.count - min(changes.count, maxEvents)) more"
        let subject = "\(changes.count) overrides"
        let isOfFile = changes.first?.isOfFile ?? false
        switch kind {
        case .expired: return "\(subject) expired: \(list)"
        case .removed:
            if case .removal(let author?)? = changes.first?.cause {
                return "\(author.name) removed \(subject): \(list)"
            }
            return "\(subject) were removed\(isOfFile ? " from the overrides file" : ""): \(list)"
        case .set, .changed:
            let verb = kind == .set ? "set" : "changed"
            return "\(subject) were \(verb)\(isOfFile ? " in the overrides file" : ""): \(list)"
        }
    }
}

extension String {
    /// The name of an author at the beginning of a sentence.
    fileprivate var name: String { oneLine(most: FeatureOverride.maxAuthorLength) }
}
