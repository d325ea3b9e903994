/// Compares what happened in a chapter of the demonstration with what the chapter claims.
struct Claim {
    /// What is not as claimed, each as a sentence on one line.
    private(set) var faults: [String] = []

    /// Notes a fault unless two values are equal.
    /// - Parameters:
    ///   - what: What was counted or looked up.
    ///   - found: What happened.
    ///   - expected: What the chapter claims.
    mutating func expect<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) {
        if found != expected { faults.append("\(what): expected \(expected), found \(found)") }
    }

    /// Throws if there is a fault.
    func check() throws(BrokenClaim) {
        if !faults.isEmpty { throw BrokenClaim(reason: faults.joined(separator: "; ")) }
    }
}

/// What a chapter claims did not happen.
struct BrokenClaim: Error {
    /// What was expected and what was found, on one line.
    let reason: String
}
