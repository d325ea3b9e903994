import Foundation

/// The URL of a document, as the command line names it.
enum ConfigurationAddress {
    /// The URL that a word means: the word itself if it has a scheme, else the file of that path.
    /// - Throws: If there is neither.
    static func url(_ word: String) throws(CommandFailure) -> String {
        if word.contains("://") || word.hasPrefix("file:") { return word }
        var information = stat()
        guard stat(word, &information) == 0 else {
            let reason = String(cString: strerror(errno))
            // Braces stay: {user} stands for the user.
            let hint =
                looksLikeHost(word)
                ? "did you mean 'https://\(word)'?"
                : "for a file that comes later, did you mean 'file://\(URL(fileURLWithPath: word).path)'?"
            throw .usage("--config '\(word)' is no URL and no file (\(reason)); \(hint)")
        }
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(.noInput, "\(word): \(String(cString: strerror(EISDIR)))")
        }
        return URL(fileURLWithPath: word).absoluteString
    }

    /// Whether a word begins with the name of a host, as `config.example.com/trackers.json` does.
    private static func looksLikeHost(_ word: String) -> Bool {
        if word.hasPrefix(".") { return false }
        guard let slash = word.firstIndex(of: "/") else { return !word.hasSuffix(".json") }
        return word[..<slash].contains { $0 == "." || $0 == ":" }
    }
}
