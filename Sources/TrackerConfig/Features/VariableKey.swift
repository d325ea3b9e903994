/// The name of a variable: its feature's and its own.
package struct VariableKey: Sendable, Hashable, CustomStringConvertible {
    let feature: String
    let variable: String

    init(_ feature: String, _ variable: String) {
        self.feature = feature
        self.variable = variable
    }

    /// As places are written in a document: `checkout.retryLimit`.
    package var description: String { "\(feature).\(variable)" }
}
