import Foundation
import TrackerCore

/// The words of a command, taken apart by its table.
package struct Arguments: Sendable {
    /// The words that are no options.
    package let operands: [String]

    private let given: [String: [String]]
    private let environment: [String: String]

    /// Takes words apart.
    ///
    /// An option's value follows as the next word or after `=`. After `--`, all words are operands.
    /// - Parameters:
    ///   - words: The words after the command.
    ///   - command: The command.
    ///   - environment: The environment; that of the process by default.
    /// - Throws: For a word that cannot be used, or one that is missing.
    package init(
        _ words: [String], of command: ToolCommand,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) {
        var operands: [String] = []
        var given: [String: [String]] = [:]
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
            guard given[name] == nil || option.isRepeatable || option.form == .flag else {
                throw .usage("\(name) is given twice")
            }
            let value = try Self.value(of: option, attached, &rest, of: command)
            try option.check(value)
            given[name, default: []].append(value)
        }
        try Self.check(operands, of: command)
        for option in command.options {
            let variable = option.environment.flatMap { environment[$0] } ?? ""
            if given[option.name] == nil, !variable.isEmpty { try option.check(variable) }
            guard !option.isRequired || given[option.name] != nil || !variable.isEmpty else {
                throw .usage("\(option.usage) is required")
            }
        }
        (self.operands, self.given, self.environment) = (operands, given, environment)
    }

    /// Whether words ask for a command's help.
    package static func wantHelp(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// Whether the command line has an option, whatever the environment has.
    package func isGiven(_ option: CommandOption) -> Bool { given[option.name] != nil }

    /// The value of an option; nil if neither the command line nor the environment has one.
    package func text(_ option: CommandOption) -> String? {
        if let value = given[option.name]?.last { return value }
        guard let variable = option.environment, let value = environment[variable], !value.isEmpty else { return nil }
        return value
    }

    /// The values of an option that can be repeated, in their order.
    package func texts(_ option: CommandOption) -> [String] { given[option.name] ?? [] }

    /// The whole number of an option.
    package func integer(_ option: CommandOption) -> Int? { text(option).flatMap { Int($0) } }

    /// The seconds of an option.
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
        // One hyphen is a usual slip.
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
