/// A reader of JavaScript's syntax of regular expressions, without the flag `u`.
struct PatternParser {
    /// The maximum nesting depth of groups.
    static let maximumDepth = 64

    let scalars: [Unicode.Scalar]
    let ignoresCase: Bool
    var index = 0

    init(_ pattern: String, ignoresCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
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
        return .sequence(nodes)
    }

    private mutating func term(depth: Int) throws(RegularExpressionError) -> PatternNode {
        if take("^") { return .assertion(.start) }
        if take("$") { return .assertion(.end) }
        if take("\\", "b") { return .assertion(.wordBoundary) }
        if take("\\", "B") { return .assertion(.noWordBoundary) }
        let start = index
        guard try quantifier() == nil else { throw fault("there is nothing to repeat", at: start) }
        let atom = try atom(depth: depth)
        guard let (minimum, maximum) = try quantifier() else { return atom }
        return .repetition(atom, minimum: minimum, maximum: maximum)
    }

    private mutating func atom(depth: Int) throws(RegularExpressionError) -> PatternNode {
        let start = index
        if take("(") {
            try groupKind(from: start)
            let node = try choice(depth: depth + 1)
            guard take(")") else { throw fault("'(' has no ')' after it", at: start) }
            return node
        }
        if take("[") { return .set(try characterClass(from: start)) }
        if take(".") { return .set(ScalarSet(ScalarSet.lineTerminators, isNegated: true)) }
        let ranges = try item()
        if !ignoresCase, let scalar = ranges.onlyScalar { return .scalar(scalar) }
        return .set(ScalarSet(ranges, ignoresCase: ignoresCase))
    }

    /// Reads the kind of a group that is not a plain capturing one, and its name.
    private mutating func groupKind(from start: Int) throws(RegularExpressionError) {
        guard take("?"), !take(":") else { return }
        if peek == "=" || peek == "!" { throw fault("look-ahead is not supported", at: start) }
        guard take("<") else { throw fault("this kind of group is not supported", at: start) }
        if peek == "=" || peek == "!" { throw fault("look-behind is not supported", at: start) }
        while let next = peek, next != ">" { index += 1 }
        guard take(">") else { throw fault("a group's name is not complete", at: start) }
    }

    /// Reads a class after its bracket.
    private mutating func characterClass(from start: Int) throws(RegularExpressionError) -> ScalarSet {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            guard peek != nil else { throw fault("'[' has no ']' after it", at: start) }
            let itemStart = index
            let first = try item(inClass: true)
            guard peek == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
                ranges += first
                continue
            }
            index += 1
            let last = try item(inClass: true)
            if let low = first.onlyScalar, let high = last.onlyScalar {
                guard low <= high else { throw fault("the ends of a range are out of order", at: itemStart) }
                ranges.append(low...high)
            } else {
                // A class such as \d cannot end a range; then the hyphen is a literal.
                ranges += first + [0x2D...0x2D] + last
            }
        }
        return ScalarSet(ranges, isNegated: isNegated, ignoresCase: ignoresCase)
    }

    /// Reads a character or an escape.
    private mutating func item(inClass: Bool = false) throws(RegularExpressionError) -> [ClosedRange<UInt32>] {
        if take("\\") { return try escape(inClass: inClass) }
        defer { index += 1 }
        return [scalars[index].value...scalars[index].value]
    }

    /// The next quantifier, if any; whether it is lazy makes no difference to a search.
    private mutating func quantifier() throws(RegularExpressionError) -> (minimum: Int, maximum: Int?)? {
        let start = index
        guard let bounds = take("*") ? (0, nil) : take("+") ? (1, nil) : take("?") ? (0, 1) : braces() else {
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
        if take("{"), let minimum = number() {
            let maximum = take(",") ? number() : minimum
            if take("}") { return (minimum, maximum) }
        }
        index = start
        return nil
    }

    /// A decimal number, limited to 10,000, which is too large for any pattern.
    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek, "0"..."9" ~= digit {
            value = min((value ?? 0) * 10 + Int(digit.value - 0x30), 10_000)
            index += 1
        }
        return value
    }

    /// The next scalar, without taking it.
    var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    mutating func take(_ expected: Unicode.Scalar...) -> Bool {
        guard scalars[index...].starts(with: expected) else { return false }
        index += expected.count
        return true
    }

    func fault(_ reason: String, at offset: Int? = nil) -> RegularExpressionError {
        RegularExpressionError(reason, at: offset ?? index)
    }
}

extension [ClosedRange<UInt32>] {
    /// The scalar, if there is only one.
    fileprivate var onlyScalar: UInt32? { count == 1 && self[0].count == 1 ? self[0].lowerBound : nil }
}

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
