/// A parsed part of a regular expression.
indirect enum PatternNode {
    case scalar(UInt32)
    case set(ScalarSet)
    case assertion(PatternAssertion)
    /// A sequence of parts; an empty sequence matches the empty text.
    case sequence([PatternNode])
    case choice([PatternNode])
    /// A repetition; nil is no maximum.
    case repetition(PatternNode, minimum: Int, maximum: Int?)
}

/// A condition on a place in a text.
enum PatternAssertion {
    case start, end, wordBoundary, noWordBoundary
}
