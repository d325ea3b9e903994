/// A reader of JavaScript's syntax of regular expressions, without the flag `u`.
struct PatternParser {
    /// The most groups within each other.
    static let maximumDepth = 64

    let scalars: [UInt32]
    let ignoresCase: Bool
    var index = 0

    /// The sets that nodes refer to.
    private(set) var sets: [ScalarSet] = []

    init(_ pattern: String, ignoresCase: Bool) {
        scalars = pattern.unicodeScalars.map(\.value)
        self.ignoresCase = ignoresCase
    }

    mutating func parse() throws(RegularExpressionError) -> PatternNode {
        let node = try choice(depth: 0)
        guard index == scalars.count else { throw fault("')' has no '(' before it") }
        return node
    }

    private mutating func choice(depth: Int) throws(RegularExpressionError) -> PatternNode {
        guard depth <= Self.maximumDepth else { throw fault("groups are nested deeper than \(Self.maximumDepth)") }
        var alternatives = [try sequence(depth: depth)]
        while take("|") { alternatives.append(try sequence(depth: depth)) }
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    private mutating func sequence(depth: Int) throws(RegularExpressionError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = peek, next != "|", next != ")" { nodes.append(try term(depth: depth)) }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func term(depth: Int) throws(RegularExpressionError) -> PatternNode {
        if let assertion = assertion() { return .assertion(assertion) }
        let start = index
        guard try quantifier() == nil else { throw fault("there is nothing to repeat", at: start) }
        let atom = try atom(depth: depth)
        guard let (minimum, maximum) = try quantifier() else { return atom }
        return .repetition(atom, minimum: minimum, maximum: maximum)
    }

    private mutating func assertion() -> PatternAssertion? {
        if take("^") { return .start }
        if take("$") { return .end }
        guard peek == "\\", index + 1 < scalars.count else { return nil }
        let assertion: PatternAssertion
        switch Unicode.Scalar(scalars[index + 1]) {
        case "b": assertion = .wordBoundary
        case "B": assertion = .noWordBoundary
        default: return nil
        }
        index += 2
        return assertion
    }

    private mutating func atom(depth: Int) throws(RegularExpressionError) -> PatternNode {
        let scalar = scalars[index]
        switch Unicode.Scalar(scalar) {
        case "(":
            let start = index
            try groupStart()
            let node = try choice(depth: depth + 1)
            guard take(")") else { throw fault("'(' has no ')' after it", at: start) }
            return node
        case "[": return .set(insert(try characterClass()))
        case ".":
            index += 1
            return .set(insert(ScalarSet(CharacterEscape.lineTerminators, isNegated: true)))
        case "\\":
            switch try escape(inClass: false) {
            case .scalar(let scalar): return literal(scalar)
            case .ranges(let ranges): return .set(insert(ScalarSet(ranges)))
            }
        default:
            index += 1
            return literal(scalar)
        }
    }

    /// Reads "(" and what makes the group another than a capturing one.
    private mutating func groupStart() throws(RegularExpressionError) {
        index += 1
        guard take("?") else { return }
        if take(":") { return }
        let start = index - 2
        if peek == "=" || peek == "!" { throw fault("look-ahead is not supported", at: start) }
        guard take("<") else { throw fault("this kind of group is not supported", at: start) }
        if peek == "=" || peek == "!" { throw fault("look-behind is not supported", at: start) }
        let nameStart = index
        while let next = peek, next != ">" {
            let isNumber = ("0"..."9").contains(next) && index > nameStart
            guard isNumber || next.properties.isXIDStart || next == "_" || next == "$" else {
                throw fault("a group's name consists of letters, digits, '_' and '$'")
            }
            index += 1
        }
        guard index > nameStart, take(">") else { throw fault("a group's name is not complete", at: start) }
    }

    private mutating func literal(_ scalar: UInt32) -> PatternNode {
        guard ignoresCase, let cases = SimpleCase(of: scalar) else { return .scalar(scalar) }
        return .set(insert(ScalarSet([cases.lower...cases.lower, cases.upper...cases.upper], ignoresCase: true)))
    }

    private mutating func insert(_ set: ScalarSet) -> Int {
        sets.append(set)
        return sets.count - 1
    }

    /// The quantifier that stands here, if any; whether it is lazy makes no difference to a search.
    private mutating func quantifier() throws(RegularExpressionError) -> (minimum: Int, maximum: Int?)? {
        let bounds: (minimum: Int, maximum: Int?)
        let start = index
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if let braces = braces() {
            bounds = braces
        } else {
            return nil
        }
        if let maximum = bounds.maximum, maximum < bounds.minimum {
            throw fault("the numbers of a quantifier are out of order", at: start)
        }
        _ = take("?")
        return bounds
    }

    /// The numbers of `{n}`, `{n,}` or `{n,m}`; anything else in braces is literal text.
    private mutating func braces() -> (minimum: Int, maximum: Int?)? {
        let start = index
        guard take("{"), let minimum = number() else {
            index = start
            return nil
        }
        var maximum: Int? = minimum
        if take(",") { maximum = number() }
        guard take("}") else {
            index = start
            return nil
        }
        return (minimum, maximum)
    }

    /// A decimal number; no pattern can be large enough for one above 10,000, so it stays there.
    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek, ("0"..."9").contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit.value - 0x30), 10_000)
            index += 1
        }
        return value
    }

    /// The next scalar, which is left in place.
    var peek: Unicode.Scalar? {
        index < scalars.count ? Unicode.Scalar(scalars[index]) : nil
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }

    func fault(_ reason: String, at offset: Int? = nil) -> RegularExpressionError {
        RegularExpressionError(reason, at: offset ?? index)
    }
}
