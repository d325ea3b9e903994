extension String {
    /// Returns the most similar name, for a "did you mean" suggestion.
    ///
    /// Case, hyphens and underscores do not count; up to a third of the characters may be missing, added, replaced or
    /// swapped with their neighbour.
    /// - Parameters:
    ///   - names: The existing names.
    ///   - most: The maximum number of differences; no further bound by default.
    /// - Returns: The most similar name, the first of equals; nil if none is similar.
    package func closest(in names: [String], atMost most: Int = .max) -> String? {
        // A longer word is not a misspelled name, and comparing costs the product of the lengths.
        guard utf8.count <= 100 else { return nil }
        let word = Array(folded)
        var best: (name: String, distance: Int)?
        for name in names {
            let other = Array(name.folded)
            let limit = Swift.min(Swift.max(word.count, other.count) / 3, most)
            guard abs(word.count - other.count) <= limit else { continue }
            let distance = Self.distance(word, other)
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    private var folded: String { lowercased().filter { $0 != "-" && $0 != "_" } }

    /// The number of insertions, removals, replacements and swaps of neighbours between two texts.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, character) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = last[column] + (character == other ? 0 : 1)
                cost = Swift.min(cost, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == second[column - 1], first[row - 1] == other {
                    cost = Swift.min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
