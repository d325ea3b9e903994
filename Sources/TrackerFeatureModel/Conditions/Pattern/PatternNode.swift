/// A parsed part of a regular expression.
indirect enum PatternNode {
    case scalar(UInt32)
    case set(ScalarSet)
    case assertion(PatternAssertion)
    /// The parts after each other; without parts it matches the empty text.
    case sequence([PatternNode])
    case choice([PatternNode])
    /// A repetition; without a maximum if it is nil.
    case repetition(PatternNode, minimum: Int, maximum: Int?)
}

/// A condition on a place in a text.
enum PatternAssertion {
    case start, end, wordBoundary, noWordBoundary
}
