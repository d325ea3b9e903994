/// The words of a command, taken apart.
package struct Arguments {
    /// The words that are no options.
    package let operands: [String]

    /// Whether help was asked for.
    package let wantsHelp: Bool

    private let options: [String: String]
    private let flags: Set<String>

    /// Takes words apart.
    /// - Parameters:
    ///   - words: The words after the command.
    ///   - known: The options that the command has, each with a value after it.
    ///   - knownFlags: The options without a value.
    /// - Throws: For a word that cannot be used.
    package init(
        _ words: [String], options known: Set<String>, flags knownFlags: Set<String> = []
    ) throws(UsageError) {
        var operands: [String] = []
        var options: [String: String] = [:]
        var flags: Set<String> = []
        var wantsHelp = false
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--help" || word == "-h" {
                wantsHelp = true
            } else if known.contains(word) {
                guard let value = rest.popFirst() else { throw UsageError("\(word) needs a value") }
                guard options.updateValue(value, forKey: word) == nil else { throw UsageError("\(word) stands twice") }
            } else if knownFlags.contains(word) {
                flags.insert(word)
            } else if word.hasPrefix("-"), word != "-" {
                throw UsageError("there is no option '\(word)'")
            } else {
                operands.append(word)
            }
        }
        self.operands = operands
        self.options = options
        self.flags = flags
        self.wantsHelp = wantsHelp
    }

    package func text(_ option: String) -> String? {
        options[option]
    }

    /// Whether an option without a value is there.
    package func has(_ flag: String) -> Bool {
        flags.contains(flag)
    }

    /// The whole number of an option.
    package func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = options[option] else { return nil }
        guard let value = Int(text), range ~= value else {
            throw UsageError(
                "\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return value
    }

    /// The seconds of an option.
    package func seconds(_ option: String) throws(UsageError) -> Duration? {
        guard let text = options[option] else { return nil }
        guard let value = Double(text), value > 0, value <= 86_400 else {
            throw UsageError("\(option) takes seconds, more than 0 and at most 86400, not '\(text)'")
        }
        return .seconds(value)
    }
}
