import TrackerCore

/// A word of a command line that is not an option.
package struct Operand: Sendable, Equatable {
    /// What an operand is.
    package enum Form: Sendable, Equatable {
        /// A path of a file.
        case file
        /// A path of a directory.
        case directory
        case url
        /// One of some words.
        case word([String])
    }

    /// What stands for the operand in help.
    package let placeholder: String

    /// What the operand is.
    package let form: Form

    /// Whether more of the kind can follow; only the last operand of a command can.
    package let isRepeatable: Bool

    /// Whether the command can do without the operand; only the last operand of a command can be left out.
    package let isOptional: Bool

    /// Creates an operand.
    /// - Parameters:
    ///   - placeholder: What stands for the operand in help.
    ///   - form: What the operand is.
    ///   - isRepeatable: Whether more of the kind can follow.
    ///   - isOptional: Whether the command can do without the operand.
    package init(_ placeholder: String, _ form: Form, isRepeatable: Bool = false, isOptional: Bool = false) {
        (self.placeholder, self.form) = (placeholder, form)
        (self.isRepeatable, self.isOptional) = (isRepeatable, isOptional)
    }

    /// The operand as usage shows it.
    package var usage: String {
        let name = placeholder + (isRepeatable ? "..." : "")
        return isOptional ? "[\(name)]" : name
    }

    /// Refuses a word that the operand cannot be.
    func check(_ word: String) throws(CommandFailure) {
        guard case .word(let words) = form, !words.contains(word) else { return }
        let hint = word.meant(in: words).map { "; did you mean '\($0)'?" } ?? ""
        throw .usage("\(placeholder) is one of \(words.joined(separator: ", ")), not '\(word)'\(hint)")
    }
}
