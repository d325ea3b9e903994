/// The work that one read of features may still do; shared by everything that the read evaluates.
///
/// A document within all limits may have thousands of patterns and prerequisites, and an attribute or a unit's id may come from a
/// client. Each part has a bound, but their sum must have one too, because a read runs in the caller's thread.
///
/// A step is an instruction of a pattern at a character. It takes about 10 ns.
@usableFromInline
package struct ReadBudget {
    /// The most steps of one read.
    @inlinable package static var maximumSteps: Int { 5_000_000 }

    /// The most UTF-8 bytes of a unit's id.
    package static let maximumUnitLength = 1024

    /// The most prerequisites, with the values for their conditions.
    @inlinable package static var maximumPrerequisites: Int { 1_000 }

    /// What a read was refused.
    @usableFromInline
    package enum Fault: Sendable, Hashable {
        /// It would take more than ``ReadBudget/maximumSteps``, or a pattern more than it may.
        case tooManySteps
        /// The id of a unit is longer than ``ReadBudget/maximumUnitLength``.
        case unitTooLong(name: String, length: Int)
        /// Closures of the service that a read calls read features themselves, within each other.
        case nested
    }

    @usableFromInline
    struct Rest {
        @usableFromInline var steps = ReadBudget.maximumSteps
        @usableFromInline var prerequisites = ReadBudget.maximumPrerequisites
        @usableFromInline var fault: Fault?
        /// The time of the read in milliseconds since 1970; the lowest number until it is asked for.
        @usableFromInline var time = Int64.min

        @inlinable init() {}
    }

    // On the stack of the caller, because an allocation would cost as much as a rule.
    @usableFromInline let rest: UnsafeMutablePointer<Rest>

    @inlinable init(_ rest: UnsafeMutablePointer<Rest>) { self.rest = rest }

    /// Runs a read with a budget of its own.
    /// - Parameter body: The read; must not keep the budget.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    @inlinable
    package static func open<Result, Failure: Error>(
        _ body: (ReadBudget) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var rest = Rest()
        return try withUnsafeMutablePointer(to: &rest) { (pointer) throws(Failure) in
            try body(ReadBudget(pointer))
        }
    }

    /// Takes the steps of a search; none for another part of the read.
    /// - Returns: False if fewer were left; then the read is given up, and nothing matches any more.
    @discardableResult
    package func spend(_ steps: Int) -> Bool {
        rest.pointee.steps -= steps
        if isExhausted, rest.pointee.fault == nil { rest.pointee.fault = .tooManySteps }
        return !isExhausted
    }

    /// Whether the read was given up.
    @inlinable package var isExhausted: Bool { rest.pointee.steps < 0 }

    /// The steps that are left.
    var steps: Int { rest.pointee.steps }

    /// Takes one prerequisite, or one value for a prerequisite's condition.
    /// - Returns: Whether there was one left.
    package func spendPrerequisite() -> Bool {
        rest.pointee.prerequisites = max(rest.pointee.prerequisites, 0) - 1
        return rest.pointee.prerequisites >= 0
    }

    /// Whether more prerequisites were met than there may be.
    package var hasTooManyPrerequisites: Bool { rest.pointee.prerequisites < 0 }

    /// What the read was refused first; nil if nothing was.
    @inlinable package var fault: Fault? { rest.pointee.fault }

    /// Asks for the time of the read, which is the same for all its parts.
    /// - Parameter clock: Returns the present, or nil if it is not known; only called by the first part that asks.
    /// - Returns: The time; nil if it is not known.
    package func time(_ clock: () -> Instant?) -> Instant? {
        if rest.pointee.time == .min { rest.pointee.time = (clock() ?? .unknown).milliseconds }
        let time = Instant(milliseconds: rest.pointee.time)
        return time > .unknown ? time : nil
    }

    /// Begins another read that shares the budget.
    @inlinable package func forgetFault() { rest.pointee.fault = nil }

    /// Notes what the read is refused.
    package func refuse(_ fault: Fault) {
        if rest.pointee.fault == nil { rest.pointee.fault = fault }
    }
}

extension ReadBudget.Fault: CustomStringConvertible {
    /// The reason, as a sentence.
    @usableFromInline
    package var description: String {
        switch self {
        case .tooManySteps:
            "the read takes more than \(ReadBudget.maximumSteps) steps, so no further rule and no experiment applies"
        case .unitTooLong(let name, let length):
            "the id of the unit \(name.excerpt) has \(length) bytes, and one of more than "
                + "\(ReadBudget.maximumUnitLength) is not used"
        case .nested: "closures of the service that a read calls read features within each other, too often"
        }
    }
}
