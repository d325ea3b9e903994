import TestSupport
import Testing
import TrackerCommandLine

@Suite("The words of a command", .endsWhenItHangs)
struct ArgumentsTests {
    private static let json = CommandOption.json("output for scripts")
    private static let port = CommandOption("--port", .integer(0...65_535), "N", help: "a port")
    private static let poll = CommandOption("--poll", .seconds, "SECONDS", help: "a time")
    private static let token = CommandOption("--token", .text, "TOKEN", help: "a token")
    private static let level = CommandOption("--level", .word(["error", "warning"]), "LEVEL", help: "a level")

    private static let command = ToolCommand(
        "show", summary: "shows", discussion: "",
        operands: [Operand("FILE", .file), Operand("MORE", .file, isRepeatable: true, isOptional: true)],
        options: [json, port, poll, token, level]
    ) { (_) throws(CommandFailure) in .success }

    private func arguments(_ words: [String]) throws -> Arguments { try Arguments(words, of: Self.command) }

    @Test("an option's value follows as a word or after the first equals sign")
    func values() throws {
        let arguments = try arguments(["--port", "8", "a", "--token=x=y"])
        #expect(arguments.integer(Self.port) == 8)
        #expect(arguments.text(Self.token) == "x=y")
        #expect(arguments.operands == ["a"])
        #expect(arguments.isGiven(Self.port) && !arguments.isGiven(Self.json))
    }

    @Test("after two hyphens, all words are operands; one hyphen is an operand")
    func operands() throws {
        let arguments = try arguments(["-", "--json", "--", "--port", "--"])
        #expect(arguments.operands == ["-", "--port", "--"])
        #expect(arguments.isGiven(Self.json))
        #expect(!Arguments.wantHelp(["a", "--", "--help"]))
        #expect(Arguments.wantHelp(["a", "--wrong", "-h"]))
    }

    @Test(
        "words that cannot be used are usage errors",
        arguments: [
            (["a", "--jsn"], "unknown option '--jsn'; did you mean '--json'?"),
            (["a", "--jsn=1"], "unknown option '--jsn'; did you mean '--json'?"),
            (["a", "--zebra"], "unknown option '--zebra'"),
            (["a", "--json=1"], "--json takes no value"),
            (["a", "--port"], "--port needs a value, N"),
            (["a", "--token", "--port", "1"], "--token needs a value, TOKEN, before the option '--port'"),
            (["a", "--port", "1", "--port", "2"], "--port is given twice"),
            (["a", "--port", "65536"], "--port takes a whole number from 0 to 65535, not '65536'"),
            (["a", "--poll", "nan"], "--poll takes seconds, more than 0 and at most 86400, not 'nan'"),
            (["a", "--poll", "0"], "--poll takes seconds, more than 0 and at most 86400, not '0'"),
            (
                ["a", "--level", "warnign"],
                "--level takes one of error, warning, not 'warnign'; did you mean 'warning'?"
            ),
            (["a", "--level", "err"], "--level takes one of error, warning, not 'err'; did you mean 'error'?"),
            (["a", "--level", "e"], "--level takes one of error, warning, not 'e'"),
            ([], "show needs FILE"),
        ])
    func faults(words: [String], reason: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try arguments(words) }
        #expect(failure == .usage(reason))
    }

    @Test("an operand too many and a required option that is missing are usage errors")
    func missing() throws {
        let name = CommandOption("--name", .text, "NAME", isRequired: true, help: "a name")
        let command = ToolCommand("make", summary: "makes", discussion: "", options: [name]) {
            (_) throws(CommandFailure) in .success
        }
        let tooMany = try #require(throws: CommandFailure.self) { try Arguments(["a"], of: command) }
        #expect(tooMany == .usage("'a' is not expected here"))
        let missing = try #require(throws: CommandFailure.self) { try Arguments([], of: command) }
        #expect(missing == .usage("--name NAME is required"))
    }
}
