/// The explanation of a context's value: the value, and each source in order of precedence with its evaluated rules and
/// experiments.
///
/// ```swift
/// print(setup.features.explain("checkout", variable: "retryLimit", for: context))
/// // checkout.retryLimit = 3 (remote, version 4), DEFAULT
/// //   override: no value
/// //   remote, version 4: gives 3
/// //     rule staff: no, email: missing
/// //     rule ramp: no, userId 'u-1' is at 0.6312, covered 0 to 0.25
/// ```
///
/// As JSON it is an object with the same members; unset members are left out and the source is a string.
public struct FeatureExplanation: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// The variable's name; nil for whether the feature is enabled.
    public let variable: String?

    /// The value; nil if no source has one, and for a secret.
    public let value: JSONValue?

    /// The source of the value; ``FeatureSource/fallback`` if no source has one.
    public let source: FeatureSource

    /// The reason for the value. Unlike ``EvaluationReason/stale``, it does not depend on whether the document is
    /// stale.
    public let reason: EvaluationReason

    /// The id of the rule that gives the value; nil if there is none.
    public let rule: String?

    /// The sentence of ``EvaluationDetail/error``; nil if there is none.
    public let error: String?

    /// Whether any source encrypts the variable, so that all its values are hidden.
    public let isSecret: Bool

    /// The sources, the highest in precedence first, each before its rules and experiments; the caller's default comes
    /// last.
    package let steps: [Step]

    /// The variant that gives the value; nil if there is none.
    public var variant: String? {
        if case .experiment(_, let variant) = source { variant } else { nil }
    }

    /// The variants of the context in the evaluated experiments, by the experiment's id, including variants that do not
    /// set the value.
    public var variants: [String: String] {
        let given = steps.compactMap { step in step.experiment.flatMap { id in step.variant.map { (id, $0) } } }
        return Dictionary(given) { first, _ in first }
    }

    /// The value with its source, and the values that it overrides, on one line: `9 (remote, version 4, rule staff),
    /// over 3 (default)`.
    public var summary: String {
        let own = "\(shown) (\(source)\(rule.map { ", rule \($0)" } ?? ""))"
        var (source, last, below) = ("", [String](), [String]())
        for step in steps where !step.isFallback {
            if let next = step.source { (source, last, below) = (next, [], below + last) }
            guard step.verdict == .overridden else { continue }
            let name =
                step.rule.map { "\(source), rule \($0)" }
                ?? step.experiment.map { "experiment \($0), variant \(step.variant ?? "")" } ?? source
            let value = "\(step.value?.description.oneLine(most: 200) ?? "a secret") (\(name))"
            // The rules and experiments of a source have precedence over its own value.
            if step.source == nil { below.append(value) } else { last = [value] }
        }
        below += last
        return below.isEmpty ? own : own + ", over " + below.joined(separator: ", ")
    }

    private var shown: String { isSecret ? "a secret" : value?.description.oneLine(most: 200) ?? "unset" }
}

extension FeatureExplanation: CustomStringConvertible {
    /// The explanation as an indented text of several lines.
    public var description: String {
        let name = variable.map { "\(VariableKey(feature, $0))" } ?? "\(FeatureKey.enabled(feature))"
        let rule = rule.map { ", rule \($0.oneLine(most: 100))" } ?? ""
        let first = "\(name.oneLine(most: 200)) = \(shown) (\(source)\(rule)), \(reason.rawValue)"
        let shown = steps.filter { !$0.isFallback || $0.verdict == .gives }
        return ([error.map { "\(first): \($0)" } ?? first] + shown.map { ($0.source == nil ? "    " : "  ") + "\($0)" })
            .joined(separator: "\n")
    }
}

extension FeatureExplanation: Encodable {
    /// Encodes the explanation as an object.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// The explanation as JSON.
    package var json: JSONObject {
        JSONObject(present: [
            ("feature", .string(feature)), ("variable", variable.map(JSONValue.string)), ("value", value),
            ("source", .string(source.description)), ("reason", .string(reason.rawValue)),
            ("rule", rule.map(JSONValue.string)), ("error", error.map(JSONValue.string)),
            ("isSecret", isSecret ? true : nil), ("steps", .array(steps.map { .object($0.json) })),
        ])
    }
}
