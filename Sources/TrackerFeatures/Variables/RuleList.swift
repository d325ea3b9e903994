/// The rules that decide a variable with nothing but the context. Not generic as its handle is, so that it is compiled once.
final class RuleList: Sendable {
    private let rules: [CompiledRule]
    private let counters: UsageCounters?

    /// - Parameters:
    ///   - rules: The rules in the order in which they are tried.
    ///   - counters: Count what they decide.
    init(_ rules: [CompiledRule], counters: UsageCounters?) {
        (self.rules, self.counters) = (rules, counters)
    }

    /// The index of the first rule that is for a request; nil if none is. Counts the evaluation.
    func firstMatch(for request: TrackingContext?) -> Int? {
        let context = request?.evaluation ?? .empty
        for index in rules.indices where rules[index].matches(context) {
            counters?.count(rules[index].reason)
            return index
        }
        counters?.count(.default)
        return nil
    }
}
