package import Foundation

/// A command of the system, run by a test.
///
/// Foundation's `Process` reads past a buffer where some 1,400 descriptors are open, and it keeps a thread for the rest of the run.
package struct ChildProcess: ~Copyable {
    package struct Refused: Error { package let code: Int32 }

    private let id: pid_t
    private let output: FileHandle

    /// Starts a command.
    /// - Parameter words: Its name, found in `PATH`, and its arguments.
    /// - Throws: Where it cannot be started.
    package init(_ words: String...) throws {
        try self.init(words)
    }

    /// Starts a command.
    /// - Parameter words: Its name, found in `PATH`, and its arguments.
    /// - Throws: Where it cannot be started.
    package init(_ words: [String]) throws {
        let pipe = Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // Threads of the pool block all signals, and a child inherits that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw Refused(code: code) }
        (self.id, output) = (id, pipe.fileHandleForReading)
    }

    /// What it has printed, as soon as there is something.
    package func available() -> Data { output.availableData }

    /// Asks it to end.
    package func terminate() { send(SIGTERM) }

    /// Sends it a signal.
    package func send(_ signal: Int32) {
        kill(id, signal)
    }

    /// Waits until it has ended.
    /// - Returns: Whether it ended well.
    package func wait() -> Bool {
        var status = Int32()
        return waitpid(id, &status, 0) == id && status == 0
    }
}
