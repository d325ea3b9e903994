import TrackerCore

/// A word of a command line that is not an option.
package struct Operand: Sendable, Equatable {
    /// The kind of an operand.
    package enum Form: Sendable, Equatable {
        /// A path of a file.
        case file
        /// A path of a directory.
        case directory
        case url
        /// One of some words.
        case word([String])
    }

    /// The placeholder of the operand in help.
    package let placeholder: String

    /// The kind of the operand.
    package let form: Form

    /// Whether the operand can be repeated; only the last operand of a command can.
    package let isRepeatable: Bool

    /// Whether the operand is optional; only the last operand of a command can be.
    package let isOptional: Bool

    /// Creates an operand.
    /// - Parameters:
    ///   - placeholder: The placeholder of the operand in help.
    ///   - form: The kind of the operand.
    ///   - isRepeatable: Whether the operand can be repeated.
    ///   - isOptional: Whether the operand is optional.
    package init(_ placeholder: String, _ form: Form, isRepeatable: Bool = false, isOptional: Bool = false) {
        (self.placeholder, self.form) = (placeholder, form)
        (self.isRepeatable, self.isOptional) = (isRepeatable, isOptional)
    }

    /// The operand in the usage line.
    package var usage: String {
        let name = placeholder + (isRepeatable ? "..." : "")
        return isOptional ? "[\(name)]" : name
    }

    /// Throws if the operand does not accept a word.
    func check(_ word: String) throws(CommandFailure) {
        guard case .word(let words) = form, !words.contains(word) else { return }
        let hint = word.meant(in: words).map { "; did you mean '\($0)'?" } ?? ""
        throw .usage("\(placeholder) is one of \(words.joined(separator: ", ")), not '\(word)'\(hint)")
    }
}
