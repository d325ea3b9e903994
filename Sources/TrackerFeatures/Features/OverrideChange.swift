package import FoundationEssentials

/// A change of one or several overrides for the log and the history, without secrets.
package struct OverrideChange: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case set = "overrideSet"
        case changed = "overrideChanged"
        case removed = "overrideRemoved"
        case expired = "overrideExpired"
    }

    /// The cause of a change.
    enum Cause: Equatable {
        case code(by: String?)
        case expiry
        /// The file was read again.
        case file
        /// The file was read at the start.
        case start
    }

    /// The maximum number of simultaneous changes of one kind with separate rows in the history; more share one row.
    private static let maxRows = 5

    package let kind: Kind

    /// The changed override without its value; nil for several overrides.
    let override: FeatureOverride?

    private let cause: Cause

    /// The parts of the sentence around the values, which a later document may make secret.
    private let (beginning, end): (String, String)
    private var values = ""

    /// The expiry after the values, for the log only.
    private var until = ""

    /// The time of the first occurrence.
    package private(set) var firstTime: Date

    /// The time of the last occurrence.
    package let lastTime: Date

    /// The number of occurrences.
    package private(set) var count = 1

    /// Creates the change of one override.
    /// - Parameters:
    ///   - before: The override before; nil if there was none.
    ///   - after: The override now; nil if there is none.
    ///   - cause: The cause of the change.
    ///   - layers: The layers before and after the change.
    ///   - time: The time when it changed.
    init(
        _ before: FeatureOverride?, _ after: FeatureOverride?, _ cause: Cause,
        in layers: (old: FeatureLayers, new: FeatureLayers), at time: Date
    ) {
        var override = after ?? before ?? FeatureOverride()
        let (old, new) = (layers.old.loggedValue(of: override), layers.new.loggedValue(of: override))
        let isHidden = layers.old.hidesValue(of: override) || layers.new.hidesValue(of: override)
        kind = after != nil ? (before == nil ? .set : .changed) : cause == .expiry ? .expired : .removed
        beginning = Self.sentence(kind, cause, of: [override])
        if !isHidden, after != nil || old != new {
            let separator = after == nil || cause == .file ? ", " : " "
            // The document is not loaded yet at the start, so there is no old value.
            values = cause == .start ? " to \(new)" : "\(separator)\(old) → \(new)"
        }
        until = after?.expiry?.iso8601.map { ", until \($0)" } ?? ""
        end = after?.note.map { ": \($0.oneLine(most: 200))" } ?? ""
        override.value = nil
        (self.override, self.cause, firstTime, lastTime) = (override, cause, time, time)
    }

    /// Creates a change of several overrides: `dana removed the overrides of a.x, b.y, c.enabled, d.z, e.v and 2 more`.
    private init(_ changes: [OverrideChange]) {
        (kind, cause, firstTime, lastTime) = (
            changes[0].kind, changes[0].cause, changes[0].lastTime, changes[0].lastTime
        )
        (override, end) = (nil, "")
        beginning = Self.sentence(kind, cause, of: changes.compactMap(\.override))
    }

    private static func sentence(_ kind: Kind, _ cause: Cause, of overrides: [FeatureOverride]) -> String {
        var names = overrides.prefix(maxRows).map { override in
            (override.experiment == nil ? "" : "the variant of ") + override.name.oneLine(most: 200)
        }.joined(separator: ", ")
        if overrides.count > maxRows { names += " and \(overrides.count - maxRows) more" }
        let (subject, be) =
            overrides.count > 1 ? ("the overrides of \(names)", "were") : ("the override of \(names)", "was")
        var author = overrides.count > 1 ? nil : overrides[0].by
        if kind == .removed { author = if case .code(let by) = cause { by } else { nil } }
        let by = author?.oneLine(most: FeatureOverride.maxAuthorLength)
        let sentence =
            switch kind {
            case .set, .changed:
                by.map { "\($0) \(kind) \(names)" } ?? "\(names) \(be) \(kind)"
            case .removed: by.map { "\($0) removed \(subject)" } ?? "\(subject) \(be) removed"
            case .expired: "\(subject)\(by.map { " by \($0)" } ?? "") expired"
            }
        return sentence + (cause == .file ? " in the overrides file" : "")
    }

    /// The change with its author and reason: `dana set checkout.retryLimit 3 → 12: INC-412`.
    package var text: String { beginning + values + end }

    /// The line of the log.
    var line: String { "overrides: \(beginning)\(values)\(until)\(end)" }

    func withoutValues() -> OverrideChange {
        var change = self
        change.values = ""
        return change
    }

    /// Merges an earlier, equal change into this one.
    mutating func fold(_ earlier: OverrideChange) { (firstTime, count) = (earlier.firstTime, earlier.count + 1) }

    /// Returns the rows of the history for simultaneous changes.
    static func rows(of changes: [OverrideChange]) -> [OverrideChange] {
        Kind.allCases.flatMap { kind in
            let own = changes.filter { $0.kind == kind }
            return own.count > maxRows ? [OverrideChange(own)] : own
        }
    }
}

/// The last changes of overrides since the start of the process, the newest first. They are kept after the overrides
/// are removed.
struct OverrideHistory: Sendable {
    /// The maximum number of changes.
    private static let maxChanges = 50

    private(set) var changes: [OverrideChange] = []

    /// Whether the file has been read.
    var hasLoaded = false

    /// Adds changes, the oldest first. A change that repeats an earlier one is merged with it.
    mutating func add(_ added: [OverrideChange]) {
        for var change in added {
            if let repeated = changes.firstIndex(where: { $0.kind == change.kind && $0.text == change.text }) {
                change.fold(changes.remove(at: repeated))
            }
            changes.insert(change, at: 0)
            if changes.count > Self.maxChanges { changes.remove(at: oldestReplaced ?? changes.count - 1) }
        }
    }

    /// The oldest change whose override changed again, so that frequent changes of one override do not displace all
    /// others.
    private var oldestReplaced: Int? {
        changes.indices.last { place in
            guard let target = changes[place].override?.target else { return false }
            return changes[..<place].contains { $0.override?.target == target }
        }
    }
}
