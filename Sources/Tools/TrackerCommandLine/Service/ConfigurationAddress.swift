import Foundation

/// The URL of a document, as given on the command line.
enum ConfigurationAddress {
    /// Returns the URL for a word: the word itself if it has a scheme, otherwise the file URL of a path.
    /// - Throws: If the word has no scheme and there is no such file.
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

    /// A hint about the meaning of a word that is not a file.
    private static func hint(_ word: String) -> String {
        if looksLikeHost(word) {
            let isLoopback = word.hasPrefix("localhost") || word.hasPrefix("127.")
            return "; did you mean '\(isLoopback ? "http" : "https")://\(word)'?"
        }
        // The braces of {user} must not be percent-encoded.
        let url = "file://\(URL(fileURLWithPath: word).path)"
        return word.contains("{user}") ? "; a path with {user} needs a file URL: \(url)" : ""
    }

    /// Whether a word begins like a host name with a path, such as `config.example.com/trackers.json`.
    private static func looksLikeHost(_ word: String) -> Bool {
        guard !word.hasPrefix("."), let slash = word.firstIndex(of: "/") else { return false }
        return word[..<slash].contains { $0 == "." || $0 == ":" }
    }
}
