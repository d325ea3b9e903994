import Testing
import TrackerCommandLine

@testable import tracker_config

@Suite("A tool's command table")
struct ToolTests {
    private let tool = TrackerConfigTool.tool

    @Test("no command has one option twice, and help explains each option")
    func options() {
        for command in tool.allCommands {
            let names = command.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name): \(names)")
            let help = CommandHelp(tool).text(of: command)
            #expect(help.hasPrefix("tracker-config \(command.name)"))
            for option in command.allOptions {
                #expect(help.contains("\n  \(option.usage)"), "\(command.name) \(option.name)")
            }
        }
    }

    @Test("the help of the tool has each command, and no line of help is longer than a wide terminal")
    func width() {
        let help = CommandHelp(tool)
        for command in tool.allCommands { #expect(help.text.contains("\n  \(command.name)")) }
        for text in [help.text] + tool.allCommands.map({ help.text(of: $0) }) {
            let longest = text.split(separator: "\n").map(\.count).max() ?? 0
            #expect(longest <= 132, "\(text)")
        }
    }

    @Test("the manual page has each command and option, with hyphens that can be copied")
    func manual() {
        let page = ManualPage(tool).text
        #expect(page.hasPrefix(".TH TRACKER\\-CONFIG 1"))
        for command in tool.commands {
            #expect(page.contains("\n.SS \"\(command.name) "))
            for option in command.options {
                #expect(page.contains(option.name.replacing("-", with: "\\-")), "\(option.name)")
            }
        }
        #expect(page.contains("CONSOLE_TOKEN"))
    }

    @Test("completions have each command, option and word", arguments: ShellCompletions.Shell.allCases)
    func completions(shell: ShellCompletions.Shell) {
        let script = ShellCompletions(tool).script(for: shell)
        for command in tool.allCommands {
            #expect(script.contains(command.name))
            for option in command.allOptions {
                let name = shell == .fish ? "-l \(option.name.dropFirst(2))" : option.name
                #expect(script.contains(name), "\(option.name)")
            }
        }
        #expect(script.contains("text json github sarif"))
    }

    @Test(
        "words that name no command end with 64",
        arguments: [
            ["validat"], ["--versoin"], ["help", "validat"], ["completions", "tcsh"], ["completions"], ["man", "x"],
        ])
    func unknown(words: [String]) async {
        #expect(await tool.run(words) == .usage)
    }

    @Test(
        "help, version, completions and the manual page are no errors",
        arguments: [
            [], ["help"], ["help", "validate"], ["help", "help"], ["--version"], ["validate", "--nonsense", "--help"],
            ["man"],
        ])
    func information(words: [String]) async {
        #expect(await tool.run(words) == .success)
    }
}

@Suite("Colours of the output")
struct TextStyleTests {
    private func isColoured(_ words: [String], _ environment: [String: String], isTerminal: Bool) throws -> Bool {
        let command = ToolCommand("c", summary: "", discussion: "", options: [.color]) {
            (_) throws(CommandFailure) in .success
        }
        let arguments = try Arguments(words, of: command, environment: [:])
        let style = TextStyle(arguments, environment: environment, isTerminal: isTerminal)
        return style.paint("x", .red) != "x"
    }

    @Test("are for terminals, unless NO_COLOR is set or TERM is dumb")
    func auto() throws {
        #expect(try isColoured([], ["TERM": "xterm"], isTerminal: true))
        #expect(try isColoured(["--color", "auto"], ["NO_COLOR": ""], isTerminal: true))
        #expect(try !isColoured([], ["TERM": "xterm"], isTerminal: false))
        #expect(try !isColoured([], ["NO_COLOR": "1"], isTerminal: true))
        #expect(try !isColoured([], ["TERM": "dumb"], isTerminal: true))
    }

    @Test("are as --color says, whatever the environment has")
    func given() throws {
        #expect(try isColoured(["--color=always"], ["NO_COLOR": "1", "TERM": "dumb"], isTerminal: false))
        #expect(try !isColoured(["--color=never"], [:], isTerminal: true))
    }
}
