import TrackerConfig

/// What differs between two lists of things with names: features, experiments.
package struct NamedDifference<Change: Sendable>: Sendable {
    /// The names that are new.
    package let added: [String]

    /// The names that are gone.
    package let removed: [String]

    /// What differs of those that are in both.
    package let changed: [Change]

    /// Whether nothing differs.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

    /// Compares two lists.
    /// - Parameters:
    ///   - old: The list before, each name once.
    ///   - new: The list after, each name once.
    ///   - name: The name of an element.
    ///   - change: Compares two of one name; nil if nothing differs.
    init<Element>(
        from old: [Element], to new: [Element], by name: (Element) -> String, _ change: (Element, Element) -> Change?
    ) {
        let before = Dictionary(old.map { (ExactText(name($0)), $0) }) { $1 }
        let after = Set(new.map { ExactText(name($0)) })
        added = new.map(name).filter { before[exactly: $0] == nil }
        removed = old.map(name).filter { !after.contains(ExactText($0)) }
        changed = new.compactMap { element in before[exactly: name(element)].flatMap { change($0, element) } }
    }
}
