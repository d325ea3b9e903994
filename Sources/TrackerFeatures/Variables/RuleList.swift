/// The rules that decide a variable with nothing but the context. Not generic as its handle is, so that it is compiled once.
final class RuleList: Sendable {
    private let rules: [CompiledRule]
    private let counters: UsageCounters?
    private let report: @Sendable (ReadBudget.Fault) -> Void

    /// - Parameters:
    ///   - rules: The rules in the order in which they are tried.
    ///   - counters: Count what they decide.
    ///   - report: Called with what a read was refused.
    init(_ rules: [CompiledRule], counters: UsageCounters?, report: @escaping @Sendable (ReadBudget.Fault) -> Void) {
        (self.rules, self.counters, self.report) = (rules, counters, report)
    }

    /// The index of the first rule that is for a request; nil if none is. Counts the evaluation.
    func firstMatch(for request: TrackingContext?) -> Int? {
        let context = request?.evaluation ?? .empty
        let (index, fault) = ReadBudget.open { budget in
            (rules.indices.first { rules[$0].matches(context, budget) }, budget.fault)
        }
        if let fault {
            counters?.count(.error)
            report(fault)
        } else {
            counters?.count(index.map { rules[$0].reason } ?? .default)
        }
        return index
    }
}
