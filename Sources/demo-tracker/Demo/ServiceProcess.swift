import Foundation
import TrackerCommandLine
import TrackerCore
import TrackerJSON

/// Another process of the service: `demo-tracker run`, which takes commands as JSON lines.
final class ServiceProcess: Sendable {
    /// The process's id.
    let id: pid_t

    private let input: Int32
    private let lines: AsyncStream<[UInt8]>
    private let log: String
    private let isReaped = Locked(false)

    /// Starts this executable.
    /// - Parameters:
    ///   - options: The options of `run`.
    ///   - log: The file for what it writes to standard error.
    /// - Throws: If it cannot be started.
    init(options: [String], log: String) throws(CommandFailure) {
        guard let path = Self.executable else { throw CommandFailure(.unavailable, "this executable has no path") }
        var (toChild, fromChild) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else {
            throw CommandFailure(.unavailable, "no pipe can be made: \(String(cString: strerror(errno)))")
        }
        // Closed in the child by `exec`, so that it sees the end of its input when this process ends, however it ends.
        for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer {
            close(toChild[0])
            close(fromChild[1])
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // Threads of the pool block all signals, and a child inherits that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([path, "run"] + options).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, &words, environ)
        guard code == 0 else {
            close(toChild[1])
            close(fromChild[0])
            throw CommandFailure(.unavailable, "\(path) cannot be started: \(String(cString: strerror(code)))")
        }
        (self.id, self.log, input) = (id, log, toChild[1])
        lines = LineInput.lines(closing: fromChild[0])
    }

    deinit {
        kill()
        close(input)
    }

    private static var executable: String? {
        // Nil without a /proc.
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// Writes commands to its standard input.
    func send(_ commands: [JSONObject]) {
        let bytes = Array(commands.map { "\(JSONValue.object($0))\n" }.joined().utf8)
        // If it has ended, its lines have too, and they are waited for.
        _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }

    /// Reads its lines up to one with certain members.
    /// - Parameter members: The members.
    /// - Returns: The line; nil if there is none.
    func line(with members: JSONObject) async -> JSONValue? {
        for await line in lines {
            // Text that is not JSON is not the line.
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(line)) else { continue }
            if members.members.allSatisfy({ value[$0.name] == $0.value }) { return value }
        }
        return nil
    }

    /// The last line that it wrote to standard error; nil if there is none.
    var lastWords: String? {
        // Without a file there are none.
        let text = try? String(contentsOfFile: log, encoding: .utf8)
        return text?.split(separator: "\n").last.map(String.init)
    }

    /// Sends SIGKILL, unless it has ended, and waits for its end.
    /// - Returns: Whether the signal ended it.
    @discardableResult
    func kill() -> Bool {
        isReaped.withLock { isReaped in
            if isReaped { return false }
            isReaped = true
            Foundation.kill(id, SIGKILL)
            var status = Int32()
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            return status & 0x7F == SIGKILL
        }
    }
}
