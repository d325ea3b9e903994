/// An instruction of a compiled regular expression.
struct PatternInstruction: Sendable {
    enum Kind: UInt8 {
        /// Accepts the scalar `operand`.
        case scalar
        /// Accepts a scalar of the set `operand`.
        case set
        /// Goes on to `next` and to the instruction `operand`.
        case split
        case jump
        /// Goes on if the ``PatternAssertion`` `operand` holds.
        case assertion
        case match
    }

    let kind: Kind
    let next: UInt16
    let operand: UInt32

    init(_ kind: Kind, operand: UInt32 = 0, next: UInt16 = 0) {
        (self.kind, self.operand, self.next) = (kind, operand, next)
    }
}
