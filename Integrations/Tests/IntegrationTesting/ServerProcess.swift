import Foundation

/// A server that a test runs, without output.
///
/// Foundation's `Process` hears of the end of a child when its descriptor is closed, which other children may have inherited: with
/// several servers at a time it waits for the end of the others.
package final class ServerProcess {
    private var id: pid_t?

    /// Starts a server.
    /// - Parameters:
    ///   - path: The path of its executable.
    ///   - arguments: Its arguments.
    /// - Throws: If it cannot be started.
    package init(_ path: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        // Threads of the pool block all signals, and a child inherits that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id = pid_t()
        guard posix_spawn(&id, path, &actions, &attributes, &words, environ) == 0 else {
            throw CocoaError(.executableNotLoadable)
        }
        self.id = id
    }

    deinit {
        kill()
    }

    /// Kills the server as a power failure would.
    package func kill() {
        guard let id else { return }
        Glibc.kill(id, SIGKILL)
        waitpid(id, nil, 0)
        self.id = nil
    }

    /// Sends the server a signal.
    package func send(_ signal: Int32) {
        if let id { Glibc.kill(id, signal) }
    }
}
