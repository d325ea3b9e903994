/// A value that a source gives a variable.
package struct Candidate: Sendable {
    /// The value.
    package let content: VariableContent

    /// The source of the value.
    package let source: FeatureSource

    /// The source's rank.
    let rank: LayerRank

    /// Decrypts the value if it is encrypted; nil if nothing can.
    let decrypt: Decryptor?
}
