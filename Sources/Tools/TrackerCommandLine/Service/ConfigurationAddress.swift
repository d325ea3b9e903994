import Foundation

/// The URL of a document, as the command line names it.
enum ConfigurationAddress {
    /// The URL that a word means: the word itself if it has a scheme, else the file of that path.
    /// - Throws: If there is neither.
    static func url(_ word: String) throws(CommandFailure) -> String {
        if word.contains("://") || word.hasPrefix("file:") { return word }
        var information = stat()
        guard stat(word, &information) == 0 else {
            let number = errno
            guard number == ENOENT || number == ENOTDIR else {
                throw CommandFailure(.noInput, "\(word): \(String(cString: strerror(number)))")
            }
            throw CommandFailure(.noInput, "no such file: \(word.isEmpty ? "''" : word)\(hint(word))")
        }
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(.noInput, "\(word): \(String(cString: strerror(EISDIR)))")
        }
        return URL(fileURLWithPath: word).absoluteString
    }

    /// What may be meant if no file has the name.
    private static func hint(_ word: String) -> String {
        if looksLikeHost(word) {
            let isLoopback = word.hasPrefix("localhost") || word.hasPrefix("127.")
            return "; did you mean '\(isLoopback ? "http" : "https")://\(word)'?"
        }
        // Braces stay: {user} stands for the user.
        let url = "file://\(URL(fileURLWithPath: word).path)"
        return word.contains("{user}") ? "; a path with {user} needs a file URL: \(url)" : ""
    }

    /// Whether a word begins with the name of a host and goes on, as `config.example.com/trackers.json` does.
    private static func looksLikeHost(_ word: String) -> Bool {
        guard !word.hasPrefix("."), let slash = word.firstIndex(of: "/") else { return false }
        return word[..<slash].contains { $0 == "." || $0 == ":" }
    }
}
