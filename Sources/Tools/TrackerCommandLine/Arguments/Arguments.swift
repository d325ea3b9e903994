import Foundation
import TrackerCore

/// The parsed words of a command.
package struct Arguments: Sendable {
    /// The words that are not options.
    package let operands: [String]

    private let given: [String: String]

    /// Parses words.
    ///
    /// An option's value follows as the next word or after `=`. After `--`, all words are operands.
    /// - Parameters:
    ///   - words: The words after the command.
    ///   - command: The command.
    /// - Throws: If a word is invalid, or a required one is missing.
    package init(_ words: [String], of command: ToolCommand) throws(CommandFailure) {
        var operands: [String] = []
        var given: [String: String] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (name, attached) = Self.parts(word)
            guard let option = command.allOptions.first(where: { $0.name == name }) else {
                throw Self.unknown(name, of: command)
            }
            guard given[name] == nil || option.form == .flag else {
                throw .usage("\(name) is given twice")
            }
            let value = try Self.value(of: option, attached, &rest, of: command)
            try option.check(value)
            given[name] = value
        }
        try Self.check(operands, of: command)
        if let missing = command.options.first(where: { $0.isRequired && given[$0.name] == nil }) {
            throw .usage("\(missing.usage) is required")
        }
        (self.operands, self.given) = (operands, given)
    }

    /// Whether the words include the help option.
    package static func wantHelp(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// Whether the command line has an option.
    package func isGiven(_ option: CommandOption) -> Bool { given[option.name] != nil }

    /// The value of an option; nil if it is missing.
    package func text(_ option: CommandOption) -> String? { given[option.name] }

    /// The integer value of an option; nil if it is missing.
    package func integer(_ option: CommandOption) -> Int? { text(option).flatMap { Int($0) } }

    /// The value of an option in seconds; nil if it is missing.
    package func seconds(_ option: CommandOption) -> Duration? {
        text(option).flatMap { Double($0) }.map { .seconds($0) }
    }

    private static func parts(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private static func value(
        of option: CommandOption, _ attached: String?, _ rest: inout ArraySlice<String>, of command: ToolCommand
    ) throws(CommandFailure) -> String {
        guard option.form != .flag else {
            guard attached == nil else { throw .usage("\(option.name) takes no value") }
            return ""
        }
        if let attached { return attached }
        guard let value = rest.popFirst() else { throw .usage("\(option.name) needs a value, \(option.placeholder)") }
        guard !command.allOptions.contains(where: { $0.name == value }) else {
            throw .usage("\(option.name) needs a value, \(option.placeholder), before the option '\(value)'")
        }
        return value
    }

    private static func unknown(_ name: String, of command: ToolCommand) -> CommandFailure {
        let names = command.allOptions.map(\.name)
        // Users often type one hyphen instead of two.
        let whole = name.hasPrefix("--") ? name : "-\(name)"
        let hint = whole.closest(in: names).map { "; did you mean '\($0)'?" } ?? ""
        return .usage("unknown option '\(name)'\(hint)")
    }

    private static func check(_ operands: [String], of command: ToolCommand) throws(CommandFailure) {
        let expected = command.operands
        if let missing = expected.dropFirst(operands.count).first(where: { !$0.isOptional }) {
            throw .usage("\(command.name) needs \(missing.placeholder)")
        }
        for (index, word) in operands.enumerated() {
            let operand = index < expected.count ? expected[index] : expected.last { $0.isRepeatable }
            guard let operand else { throw .usage("'\(word)' is not expected here") }
            try operand.check(word)
        }
    }
}
