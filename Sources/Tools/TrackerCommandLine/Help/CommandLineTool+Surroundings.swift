extension CommandLineTool {
    /// The variables of the environment that the commands read, with their meanings.
    var variables: [(name: String, meaning: String)] {
        var variables: [(name: String, meaning: String)] = []
        for option in commands.flatMap(\.options) {
            guard let name = option.environment, !variables.contains(where: { $0.name == name }) else { continue }
            variables.append((name: name, meaning: "the value of \(option.name) if that is not given"))
        }
        return variables + [
            (name: "NO_COLOR", meaning: "if set, output has no colours"),
            (name: "TERM", meaning: "if dumb, output has no colours"),
            (name: "COLUMNS", meaning: "the width of help in characters, 80 to 100; by default that of the terminal"),
            (name: "TMPDIR", meaning: "the directory of temporary directories; /tmp by default"),
            (
                name: "CACHE_DIRECTORY, XDG_CACHE_HOME",
                meaning: "with --standard-dirs, where fetched documents are kept, as for a service"
            ),
            (
                name: "STATE_DIRECTORY, XDG_STATE_HOME",
                meaning: "with --standard-dirs, where unsent events are kept, as for a service"
            ),
        ]
    }

    /// The files and directories that the commands use unless options name others.
    var files: [(path: String, meaning: String)] {
        [
            (
                path: "/tmp/\(name).XXXXXX",
                meaning: "cache and state of a command that runs the SDK, removed at its end"
            ),
            (path: "~/.cache/tracker-config", meaning: "fetched documents, with --standard-dirs"),
            (
                path: "~/.local/state/tracker-config",
                meaning: "unsent events and what must outlive a restart, with --standard-dirs"
            ),
        ]
    }
}
