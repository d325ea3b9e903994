import TestSupport
import Testing
import TrackerCommandLine

@testable import demo_tracker
@testable import tracker_config

@Suite("A tool's command table", .endsWhenItHangs)
struct ToolTests {
    private let tool = TrackerConfigTool.tool

    private static let tools = [TrackerConfigTool.tool, DemoTracker.tool]

    @Test("help explains each option once")
    func options() {
        let help = CommandHelp(tool, width: 100)
        for command in tool.allCommands {
            let names = command.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name): \(names)")
            let text = help.text(of: command)
            #expect(text.hasPrefix("tracker-config \(command.name)"))
            for option in command.allOptions {
                #expect(text.contains("\n  \(option.usage)"), "\(command.name) \(option.name)")
            }
        }
    }

    @Test("a tool's help has each command that is not hidden, in lines within its width", arguments: [80, 100])
    func width(width: Int) {
        for tool in Self.tools {
            let help = CommandHelp(tool, width: width)
            for command in tool.allCommands {
                #expect(help.text.contains("\n  \(command.name)") != command.isHidden, "\(command.name)")
            }
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

    @Test("each command has examples that it accepts in its help")
    func examples() throws {
        for tool in Self.tools {
            for command in tool.allCommands where !command.isHidden {
                #expect(!command.examples.isEmpty, "\(command.name)")
                let help = CommandHelp(tool, width: 80).text(of: command)
                for example in command.examples {
                    #expect(help.contains("\n  # \(example.purpose)\n  \(tool.name) \(command.name)"))
                    let words = Self.words(of: example.line)
                    #expect(words.first == command.name)
                    #expect(throws: Never.self, "\(example.line)") {
                        try Arguments(Array(words.dropFirst()), of: command)
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
}
