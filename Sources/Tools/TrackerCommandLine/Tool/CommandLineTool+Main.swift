import Foundation
import TrackerCore

extension CommandLineTool {
    /// Runs the command of the process's arguments and exits with its status.
    package func main() async -> Never {
        // If the reader of the output has exited, a write fails instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs a command.
    /// - Parameter words: The words after the executable's name.
    /// - Returns: The exit status; an error was written to standard error.
    package func run(_ words: [String]) async -> ExitStatus {
        var status: ExitStatus
        do throws(CommandFailure) {
            status = try await perform(words)
        } catch {
            report(error.reason)
            if error.isAboutWords {
                StandardStream.error.write(line: "usage: \(error.usage ?? "\(name) COMMAND [options]")")
            }
            status = error.status
        }
        if let number = StandardStream.output.failure {
            report("standard output: \(String(cString: strerror(number)))")
            status = .inputOutput
        }
        return status
    }

    private func report(_ reason: String) {
        StandardStream.error.write(line: "\(name): \(reason)".printable)
    }

    private func perform(_ words: [String]) async throws(CommandFailure) -> ExitStatus {
        guard let word = words.first ?? defaultCommand else { return showHelp() }
        switch word {
        case "--help", "-h": return showHelp()
        case "--version":
            StandardStream.output.write(line: "\(name) \(Self.version)")
            return .success
        default: break
        }
        guard let command = allCommands.first(where: { $0.name == word }) else { throw unknown(word) }
        return try await run(command, Array(words.dropFirst()))
    }

    /// Runs one command, or prints its help.
    package func run(_ command: ToolCommand, _ words: [String]) async throws(CommandFailure) -> ExitStatus {
        if Arguments.wantHelp(words) {
            StandardStream.output.write(line: CommandHelp(self).text(of: command))
            return .success
        }
        do throws(CommandFailure) {
            return try await command.action(Arguments(words, of: command))
        } catch {
            throw error.of("\(name) \(command.usage)")
        }
    }

    private func showHelp() -> ExitStatus {
        StandardStream.output.write(line: CommandHelp(self).text)
        return .success
    }

    private func unknown(_ word: String) -> CommandFailure {
        if word.hasPrefix("-") {
            let hint = word.closest(in: ["--help", "--version"]).map { "; did you mean '\($0)'?" } ?? ""
            return .usage("unknown option '\(word)'\(hint)")
        }
        let hint =
            word.meant(in: allCommands.map(\.name)).map { "did you mean '\($0)'?" } ?? "\(name) --help lists them"
        return .usage("unknown command '\(word)'; \(hint)")
    }
}
