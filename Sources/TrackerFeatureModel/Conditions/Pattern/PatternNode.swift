/// A parsed part of a regular expression.
indirect enum PatternNode {
    /// Matches the empty text.
    case empty
    case scalar(UInt32)
    /// One scalar of a set, by the set's index.
    case set(Int)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// A repetition; without a maximum if it is nil.
    case repetition(PatternNode, minimum: Int, maximum: Int?)
}

/// A condition on a place in a text.
enum PatternAssertion: UInt32 {
    case start
    case end
    case wordBoundary
    case noWordBoundary
}
