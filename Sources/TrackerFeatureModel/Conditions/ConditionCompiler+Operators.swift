extension ConditionCompiler {
    /// Compiles an operator.
    mutating func operation(_ name: String, _ operand: JSONValue, at path: Path, depth: Int) -> ValueTest {
        switch ConditionOperator(rawValue: name) {
        case .equal: return .strict(operand)
        case .notEqual: return .not(.strict(operand))
        case .less: return order(.less, operand, at: path)
        case .lessOrEqual: return order(.lessOrEqual, operand, at: path)
        case .greater: return order(.greater, operand, at: path)
        case .greaterOrEqual: return order(.greaterOrEqual, operand, at: path)
        case .exists: return operand.isTruthy ? .not(.null) : .null
        case .member: return member(of: operand, at: path)
        case .notMember: return .not(member(of: operand, at: path))
        case .memberIgnoringCase: return member(of: operand, ignoresCase: true, at: path)
        case .notMemberIgnoringCase: return .not(member(of: operand, ignoresCase: true, at: path))
        case .inSegment: return member(ofSegment: operand, at: path)
        case .notInSegment: return .not(member(ofSegment: operand, at: path))
        case .all: return each(operand, at: path, depth: depth)
        case .allIgnoringCase: return each(operand, ignoresCase: true, at: path, depth: depth)
        case .element: return element(operand, at: path, depth: depth)
        case .size: return .size(value(operand, at: path, depth: depth))
        case .type: return type(operand, at: path)
        case .not: return .not(value(operand, at: path, depth: depth))
        case .pattern: return pattern(operand, isFound: true, at: path)
        case .patternIgnoringCase: return pattern(operand, ignoresCase: true, isFound: true, at: path)
        case .notPattern: return pattern(operand, isFound: false, at: path)
        case .notPatternIgnoringCase: return pattern(operand, ignoresCase: true, isFound: false, at: path)
        case .before: return instant(operand, isBefore: true, at: path)
        case .after: return instant(operand, isBefore: false, at: path)
        case .network: return network(operand, at: path)
        case .versionEqual: return version(nil, operand, at: path)
        case .versionNotEqual: return .not(version(nil, operand, at: path))
        case .versionLess: return version(.less, operand, at: path)
        case .versionLessOrEqual: return version(.lessOrEqual, operand, at: path)
        case .versionGreater: return version(.greater, operand, at: path)
        case .versionGreaterOrEqual: return version(.greaterOrEqual, operand, at: path)
        case nil: return unusable("unknown operator \(name.excerpt)", at: path)
        }
    }

    private mutating func order(_ comparison: Comparison, _ operand: JSONValue, at path: Path) -> ValueTest {
        switch operand {
        case .array, .object: unusable("expected a text or a number", at: path)
        case .null, .bool, .int, .double, .string: .order(OrderTest(comparison, operand))
        }
    }

    private mutating func member(
        of operand: JSONValue, ignoresCase: Bool = false, at path: Path
    ) -> ValueTest {
        guard case .array(let members) = operand else { return unusable("expected a list", at: path) }
        return .member(ValueSet(members, ignoresCase: ignoresCase))
    }

    private mutating func member(ofSegment operand: JSONValue, at path: Path) -> ValueTest {
        guard case .string(let name) = operand else { return unusable("expected the name of a segment", at: path) }
        return .member(segment(name, at: path))
    }

    private mutating func each(
        _ operand: JSONValue, ignoresCase: Bool = false, at path: Path, depth: Int
    ) -> ValueTest {
        guard case .array(let elements) = operand else { return unusable("expected a list", at: path) }
        var tests: [ValueTest] = []
        for (index, element) in elements.enumerated() {
            tests.append(value(element, at: { "\(path())[\(index)]" }, depth: depth + 1, ignoresCase: ignoresCase))
        }
        return .eachHasElement(tests)
    }

    private mutating func element(_ operand: JSONValue, at path: Path, depth: Int) -> ValueTest {
        guard case .object(let json) = operand else {
            return unusable("expected a condition, which is an object", at: path)
        }
        return .element(
            json.hasOperators
                ? .value(value(operand, at: path, depth: depth)) : .object(object(json, at: path, depth: depth)))
    }

    private mutating func type(_ operand: JSONValue, at path: Path) -> ValueTest {
        guard let type = operand.string.flatMap(ValueType.init) else {
            let names = ValueType.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            return unusable("expected one of \(names)", at: path)
        }
        return .type(type)
    }

    private mutating func pattern(
        _ operand: JSONValue, ignoresCase: Bool = false, isFound: Bool, at path: Path
    ) -> ValueTest {
        guard case .string(let pattern) = operand else { return unusable("expected a regular expression", at: path) }
        do throws(RegularExpressionError) {
            return .pattern(try RegularExpression(pattern, ignoresCase: ignoresCase), isFound: isFound)
        } catch {
            return unusable("the regular expression cannot be used: \(error)", at: path)
        }
    }

    private mutating func instant(_ operand: JSONValue, isBefore: Bool, at path: Path) -> ValueTest {
        guard case .string(let text) = operand else { return unusable("expected a moment as a text", at: path) }
        guard let instant = Instant(text) else { return unusable(Instant.fault(of: text), at: path) }
        return .instant(InstantTest(isBefore: isBefore, instant: instant))
    }

    private mutating func network(_ operand: JSONValue, at path: Path) -> ValueTest {
        let texts: [JSONValue] = if case .array(let elements) = operand { elements } else { [operand] }
        var networks: [Network] = []
        for text in texts {
            guard let network = text.string.flatMap(Network.init) else {
                let found = text.string?.excerpt ?? text.kind
                return unusable("expected a network, as '10.0.0.0/8' or '2001:db8::/32', found \(found)", at: path)
            }
            networks.append(network)
        }
        return .network(networks)
    }

    private mutating func version(_ comparison: Comparison?, _ operand: JSONValue, at path: Path) -> ValueTest {
        guard let version = Version(operand) else { return unusable("expected a version, as '1.2.3'", at: path) }
        return .version(VersionTest(comparison: comparison, version: version))
    }

    /// Reports a part that cannot be used and makes a test of it that fails.
    private mutating func unusable(_ reason: String, at path: Path) -> ValueTest {
        problem(reason, at: path)
        return .never
    }
}
