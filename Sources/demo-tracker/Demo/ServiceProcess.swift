import Foundation
import TrackerCommandLine
import TrackerCore

/// Another process of the service: `demo-tracker run`, which reads commands as JSON lines.
struct ServiceProcess {
    /// The process's id.
    let id: pid_t

    private let input: Int32
    private let output: String

    /// Starts this executable.
    /// - Parameters:
    ///   - document: The URL of the document.
    ///   - directory: The directory of the process's files.
    /// - Throws: If the process cannot be started.
    init(document: String, directory: String) throws {
        try StandardDirectory.create(directory)
        let output = "\(directory)/output"
        // The input of the process ends when this process ends, even if it crashes.
        var sockets: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets)
        defer { close(sockets[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        let words = ["demo-tracker", "run", "--config", document, "--cache-dir", "\(directory)/cache"]
        var arguments = (words + ["--state-dir", "\(directory)/state"]).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var id = pid_t()
        // If the sockets could not be created, it fails too.
        let number = posix_spawn(&id, "/proc/self/exe", &actions, nil, &arguments, environ)
        guard number == 0 else {
            let reason = String(cString: strerror(number))
            throw CommandFailure(.unavailable, "the demonstration could not start a second process: \(reason)")
        }
        (self.id, self.input, self.output) = (id, sockets[0], output)
    }

    /// Writes a command to the standard input of the process.
    func send(_ command: JSONObject) {
        let bytes = Array("\(JSONValue.object(command))\n".utf8)
        // A failure is ignored: if the process has ended, the wait for its answer fails.
        _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }

    /// The JSON lines that the process has written so far.
    var lines: [JSONValue] {
        let lines = FileManager.default.contents(atPath: output)?.split(separator: UInt8(ascii: "\n")) ?? []
        // Log lines and incomplete lines are not JSON.
        return lines.compactMap { try? JSONReader.read(written: Array($0)).value }
    }

    /// Sends SIGKILL and waits until the process has ended; call it once.
    /// - Returns: Whether the signal ended the process.
    @discardableResult
    func kill() -> Bool {
        defer { close(input) }
        Foundation.kill(id, SIGKILL)
        var status = Int32()
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == SIGKILL
    }
}
