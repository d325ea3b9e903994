/// The name of a variable: its feature's name and its own, both compared by their bytes.
package struct VariableKey: Sendable, Hashable, CustomStringConvertible {
    package let feature: String
    package let variable: String

    package init(_ feature: String, _ variable: String) {
        self.feature = feature
        self.variable = variable
    }

    /// The name as in the places of a document: `checkout.retryLimit`.
    package var description: String { "\(feature).\(variable)" }

    @inline(__always)
    package static func == (left: VariableKey, right: VariableKey) -> Bool {
        left.variable.isExactly(right.variable) && left.feature.isExactly(right.feature)
    }

    @inline(__always)
    package func hash(into hasher: inout Hasher) {
        feature.hash(into: &hasher)
        variable.hash(into: &hasher)
    }
}
