/// The remaining work of one read of features; shared by all parts of its evaluation.
///
/// A document within all limits may have thousands of patterns and prerequisites, and an attribute or a unit's id may
/// come from a client. Each part has a bound, and so must have their sum, because a read runs in the caller's thread.
///
/// A step is an instruction of a pattern at a character. It takes about 10 ns.
@usableFromInline
package struct ReadBudget {
    /// The maximum number of steps of one read.
    @inlinable package static var maximumSteps: Int { 5_000_000 }

    /// The maximum length of a unit's id, in UTF-8 bytes.
    package static let maximumUnitLength = 1024

    /// The maximum number of prerequisites, including the values for their conditions.
    @inlinable package static var maximumPrerequisites: Int { 1_000 }

    /// The reason for the refusal of a part of a read.
    @usableFromInline
    package enum Fault: Sendable, Hashable {
        /// The read would exceed ``ReadBudget/maximumSteps``, or a pattern its own bound.
        case tooManySteps
        /// The id of a unit is longer than ``ReadBudget/maximumUnitLength``.
        case unitTooLong(name: String, length: Int)
        /// Closures of the service that a read calls make nested reads of features.
        case nested
    }

    @usableFromInline
    struct Rest {
        @usableFromInline var steps = ReadBudget.maximumSteps
        @usableFromInline var prerequisites = ReadBudget.maximumPrerequisites
        @usableFromInline var fault: Fault?
        /// The time of the read in milliseconds since 1970; the lowest number until its first use.
        @usableFromInline var time = Int64.min

        @inlinable init() {}
    }

    // On the stack of the caller, because an allocation would cost as much as a rule.
    @usableFromInline let rest: UnsafeMutablePointer<Rest>

    @inlinable init(_ rest: UnsafeMutablePointer<Rest>) { self.rest = rest }

    /// Runs a read with a separate budget.
    /// - Parameter body: The read; must not keep the budget.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    @inlinable
    package static func open<Result, Failure: Error>(
        _ body: (ReadBudget) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var rest = Rest()
        return try withUnsafeMutablePointer(to: &rest) { (pointer) throws(Failure) in
            try body(ReadBudget(pointer))
        }
    }

    /// Spends a number of steps; zero only checks whether the read was given up.
    /// - Returns: False if fewer were left; then the read is given up, and nothing else matches.
    @discardableResult
    package func spend(_ steps: Int) -> Bool {
        rest.pointee.steps -= steps
        if isExhausted, rest.pointee.fault == nil { rest.pointee.fault = .tooManySteps }
        return !isExhausted
    }

    /// Whether the read was given up.
    @inlinable package var isExhausted: Bool { rest.pointee.steps < 0 }

    /// The remaining steps.
    var steps: Int { rest.pointee.steps }

    /// Spends one prerequisite, or one value for a prerequisite's condition.
    /// - Returns: Whether one was left.
    package func spendPrerequisite() -> Bool {
        rest.pointee.prerequisites = max(rest.pointee.prerequisites, 0) - 1
        return rest.pointee.prerequisites >= 0
    }

    /// Whether the read exceeded the maximum number of prerequisites.
    package var hasTooManyPrerequisites: Bool { rest.pointee.prerequisites < 0 }

    /// The first refusal of a part of the read; nil if there was none.
    @inlinable package var fault: Fault? { rest.pointee.fault }

    /// Returns the time of the read, which is the same for all its parts.
    /// - Parameter clock: Returns the present, or nil if it is unknown; called only for the first part that needs it.
    /// - Returns: The time; nil if it is unknown.
    package func time(_ clock: () -> Instant?) -> Instant? {
        if rest.pointee.time == .min { rest.pointee.time = (clock() ?? .unknown).milliseconds }
        let time = Instant(milliseconds: rest.pointee.time)
        return time > .unknown ? time : nil
    }

    /// Begins another read that shares the budget.
    @inlinable package func forgetFault() { rest.pointee.fault = nil }

    /// Notes a refusal, if it is the first one.
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
