extension String {
    /// The maximum number of combining characters in a row; the Stream-Safe Text Format (UAX #15) allows 30.
    package static let maxCombiningMarks = 128

    /// Whether a run of combining characters is too long to be text.
    ///
    /// Comparing and hashing sort each run in quadratic time: minutes for a run of a megabyte.
    package var exceedsMaxCombiningMarks: Bool {
        // Every combining character has at least two bytes.
        guard utf8.count > 2 * Self.maxCombiningMarks else { return false }
        var run = 0
        for scalar in unicodeScalars {
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            run = isMark ? run + 1 : 0
            if run > Self.maxCombiningMarks { return true }
        }
        return false
    }

    /// The text in quotation marks, on one line and truncated if it is long, for error messages.
    package var excerpt: String { "'\(oneLine(most: 60))'" }

    /// The text on one line: control characters, line breaks and characters that change the direction of writing are
    /// escaped, so that no name can forge a line of a log or a terminal; truncated if it is long.
    /// - Parameter most: The maximum number of Unicode scalars; a single character can have any number of them.
    /// - Returns: The line, with "…" at its end if it was truncated.
    package func oneLine(most: Int) -> String {
        var line = ""
        for scalar in unicodeScalars.prefix(most) {
            line += scalar.isUnsafeInLine ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return unicodeScalars.dropFirst(most).isEmpty ? line : line + "…"
    }
}

extension Unicode.Scalar {
    /// Whether a terminal or a log collector may act on the character instead of showing it.
    fileprivate var isUnsafeInLine: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
