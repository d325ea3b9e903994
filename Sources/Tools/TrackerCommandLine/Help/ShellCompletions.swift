/// Scripts with which shells complete the commands and options of a tool.
package struct ShellCompletions {
    /// A shell.
    package enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    let tool: CommandLineTool

    /// Creates the scripts of a tool.
    package init(_ tool: CommandLineTool) {
        self.tool = tool
    }

    /// The script for a shell.
    package func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The name of the script's function.
    var function: String { "_" + tool.name.replacing("-", with: "_") }

    /// The words that can stand in the place of the first one, besides commands.
    let globalOptions = ["--help", "--version"]
}

extension CommandOption {
    /// What completes the option's value; nil for a flag.
    var completion: ShellCompletions.Candidates? {
        switch form {
        case .flag: nil
        case .file: .files
        case .directory: .directories
        case .word(let words): .words(words)
        case .text, .integer, .seconds: .words([])
        }
    }
}

extension Operand {
    /// What completes the operand.
    var completion: ShellCompletions.Candidates {
        switch form {
        case .file: .files
        case .directory: .directories
        case .word(let words): .words(words)
        }
    }
}

extension ShellCompletions {
    /// What can complete a word.
    enum Candidates: Equatable {
        case files
        case directories
        case words([String])
    }
}
