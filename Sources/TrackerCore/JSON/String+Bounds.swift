extension String {
    /// The most combining characters in a row; the Stream-Safe Text Format (UAX #15) has 30.
    static let mostMarks = 128

    /// Whether a run of combining characters is so long that it is no text.
    ///
    /// Comparing and hashing sort each run, in a time that grows with its square: minutes for a run of a megabyte.
    var hasEndlessRunOfMarks: Bool {
        // Every combining character has two bytes at least.
        guard utf8.count > 2 * Self.mostMarks else { return false }
        var run = 0
        for scalar in unicodeScalars {
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            run = isMark ? run + 1 : 0
            if run > Self.mostMarks { return true }
        }
        return false
    }

    /// The text in quotation marks, on one line and cut where it is long, for an error's sentence.
    package var excerpt: String { "'\(oneLine(most: 60))'" }

    /// The text without line breaks and control characters, cut where it is long.
    /// - Parameter most: The most Unicode scalars; a single character can have any number of them.
    /// - Returns: The line, with "…" at its end where something was cut.
    package func oneLine(most: Int) -> String {
        var line = ""
        for scalar in unicodeScalars.prefix(most) {
            let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value
            line += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return unicodeScalars.dropFirst(most).isEmpty ? line : line + "…"
    }
}
