/// The rules that decide a variable with nothing but the context. Not generic as its handle is, so that it is compiled once.
final class RuleList: Sendable {
    // The first apart, because an element of an array is not read without counting a reference to it.
    private let first: CompiledRule?
    private let others: ArraySlice<CompiledRule>
    private let counters: UsageCounters?
    private let report: @Sendable (ReadBudget.Fault) -> Void

    /// - Parameters:
    ///   - rules: The rules in the order in which they are tried.
    ///   - counters: Count what they decide.
    ///   - report: Called with what a read was refused.
    init(_ rules: [CompiledRule], counters: UsageCounters?, report: @escaping @Sendable (ReadBudget.Fault) -> Void) {
        (first, others, self.counters, self.report) = (rules.first, rules.dropFirst(), counters, report)
    }

    /// The index of the first rule that is for a request; nil if none is. Counts the evaluation.
    @inline(never)
    func firstMatch(for request: TrackingContext?) -> Int? {
        // A switch counts no reference to the context, which `if let` does.
        switch request?.evaluation {
        case let context?: firstMatch(in: context)
        case nil: firstMatch(in: .empty)
        }
    }

    private func firstMatch(in context: FeatureContext) -> Int? {
        ReadBudget.open { budget in
            let isFirst = first?.matches(context, budget) ?? false
            let index = isFirst ? 0 : others.firstIndex { $0.matches(context, budget) }
            if let fault = budget.fault {
                counters?.count(.error)
                report(fault)
            } else {
                counters?.count(index.map(reason) ?? .default)
            }
            return index
        }
    }

    private func reason(_ index: Int) -> EvaluationReason {
        (index == 0 ? first?.reason : others[index].reason) ?? .default
    }
}
