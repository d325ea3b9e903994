/// A section of a bundle or a layer, or none. Copies share it until one is changed.
///
/// Sections are large, and each is in a document, in the step of its tracker and in the tracker's layers.
package struct SharedSection<Section: ConfigurationSection>: Sendable, Equatable {
    // At most one. An array is a reference that is copied when it is changed and compared by identity first.
    private var sections: [Section] = []

    /// - Parameter value: The section; nil for none.
    package init(_ value: Section? = nil) {
        self.value = value
    }

    /// The section; nil if there is none.
    package var value: Section? {
        get { sections.first }
        set { sections = newValue.map { [$0] } ?? [] }
    }

    /// Whether there is a section.
    var isPresent: Bool { !sections.isEmpty }

    /// Changes the section, which is empty if there is none.
    mutating func change<Result, Failure: Error>(
        _ body: (inout Section) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if sections.isEmpty { sections = [Section()] }
        return try body(&sections[0])
    }

    /// Reads the section in place; nil if there is none.
    @discardableResult
    func read<Result>(_ body: (UnsafePointer<Section>) -> Result) -> Result? {
        sections.withUnsafeBufferPointer { sections in
            sections.isEmpty ? nil : sections.baseAddress.map(body)
        }
    }
}
