/// The rules and experiments of one layer that may decide one key, in the order in which they are tried.
struct DeciderList: Sendable {
    /// The feature's rules with a gate, which may turn off each of its keys; one list for all of them.
    private let gates: [CompiledRule]

    /// The other rules that have a value for the key, then the experiments, and then the schedule of the plain value.
    private var others: [Decider] = []

    init(gates: [CompiledRule]) {
        self.gates = gates
    }

    /// Adds a rule or an experiment behind those that the list has. Rules with a gate are in it already.
    mutating func append(_ decider: Decider) {
        if case .rule(let rule) = decider, rule.isGate { return }
        others.append(decider)
    }
}

extension DeciderList: Sequence {
    struct Iterator: IteratorProtocol {
        private let list: DeciderList
        private var (gate, other) = (0, 0)

        fileprivate init(_ list: DeciderList) {
            self.list = list
        }

        mutating func next() -> Decider? {
            let following = other < list.others.count ? list.others[other] : nil
            if gate < list.gates.count, list.gates[gate].position < following?.position ?? .max {
                defer { gate += 1 }
                return .rule(list.gates[gate])
            }
            other += 1
            return following
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }
}
