import Testing
import TrackerCommandLine

@testable import demo_tracker
@testable import tracker_config

@Suite("A tool's command table")
struct ToolTests {
    private let tool = TrackerConfigTool.tool

    private static let tools = [TrackerConfigTool.tool, DemoTracker.tool]

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

    @Test("the help of the tool has each command, and no line of help is longer than its width", arguments: [80, 100])
    func width(width: Int) {
        for tool in Self.tools {
            let help = CommandHelp(tool, width: width)
            for command in tool.allCommands { #expect(help.text.contains("\n  \(command.name)")) }
            for text in [help.text] + tool.allCommands.map({ help.text(of: $0) }) {
                let longest = text.split(separator: "\n").map(\.count).max() ?? 0
                #expect(longest <= width, "\(text)")
            }
        }
    }

    @Test(
        "help is as wide as COLUMNS or the terminal, from 80 to 100, and 80 if both are unknown",
        arguments: [
            ("90", 120, 90), ("60", 120, 80), ("500", nil, 100), ("0", 95, 95), ("wide", 95, 95), (nil, 95, 95),
            (nil, 40, 80), (nil, nil, 80),
        ] as [(String?, Int?, Int)])
    func terminal(columns: String?, terminal: Int?, width: Int) {
        let environment = columns.map { ["COLUMNS": $0] } ?? [:]
        #expect(TextLayout.width(environment: environment, terminal: terminal) == width)
    }

    @Test("each command has examples that it accepts, in its help, in the manual page and in the reference")
    func examples() throws {
        for tool in Self.tools {
            let (page, reference) = (ManualPage(tool).text, CommandReference(tool).text)
            for command in tool.allCommands {
                #expect(!command.examples.isEmpty, "\(command.name)")
                let help = CommandHelp(tool, width: 80).text(of: command)
                for example in command.examples {
                    #expect(help.contains("\n  # \(example.purpose)\n  \(tool.name) \(command.name)"))
                    #expect(page.contains("\n\(example.purpose.replacing("-", with: "\\-")):\n"))
                    #expect(reference.contains("\n# \(example.purpose)\n\(tool.name) \(example.line)\n"))
                    let words = Self.words(of: example.line)
                    #expect(words.first == command.name)
                    #expect(throws: Never.self, "\(example.line)") {
                        try Arguments(Array(words.dropFirst()), of: command, environment: [:])
                    }
                }
            }
        }
    }

    /// The words of a shell's line up to a redirection or a pipe.
    private static func words(of line: String) -> [String] {
        var (words, word, isQuoted) = ([String](), "", false)
        var rest = line.replacing("\\\n", with: "")[...]
        while let character = rest.popFirst() {
            switch character {
            case "'": isQuoted.toggle()
            case "<" where !isQuoted && rest.first == "(":
                // The shell replaces a process by the name of a file.
                word += "/dev/fd/63"
                rest = rest.drop { $0 != ")" }.dropFirst()
            case "|", ">", "<":
                if !isQuoted { return words } else { word.append(character) }
            case " " where !isQuoted:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    @Test("the reference has each option with its default and bounds, the statuses and the variables")
    func reference() {
        let text = CommandReference(tool).text
        for command in tool.allCommands {
            #expect(text.contains("\n### tracker-config \(command.name)\n"))
            for option in command.allOptions { #expect(text.contains("\n| `\(option.usage)` | "), "\(option.name)") }
        }
        for row in [
            "| `--timeout SECONDS` | 10 | more than 0, at most 86400 seconds | the time limit of a fetch |",
            "| `--max-bytes N` | 1048576 | 1 to 1073741824 | the size limit of the document, in bytes |",
            "| `--output DIR` | required | – | the directory to write to; created if it is missing |",
            "| 66 | an input is missing or cannot be read |",
            "| `CONSOLE_TOKEN` | the value of `--token` if that is not given |",
        ] {
            #expect(text.contains("\n\(row)\n"), "\(row)")
        }
    }

    @Test("help and the manual page say where the documentation is")
    func documentation() {
        let place = "the package's README.md lists the articles"
        for text in [CommandHelp(tool, width: 100).text]
            + tool.allCommands.map({ CommandHelp(tool, width: 100).text(of: $0) })
        {
            #expect(text.contains("\n\nDocumentation: \(place)"))
        }
        #expect(ManualPage(tool).text.contains("\nDocumentation: \(place)"))
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
        #expect(page.contains("\n.SH SEE ALSO\n.BR demo\\-tracker (1)\n"))
        #expect(page.contains("\n.SH FILES\n"))
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
