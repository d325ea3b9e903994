import TrackerCore

extension String {
    /// The word that was probably meant: a similar one, or the only one that contains this word's letters in order and
    /// begins with the same letter, such as `growthbook` for `gbook`.
    func meant(in words: [String]) -> String? {
        if let similar = closest(in: words) { return similar }
        guard count > 1 else { return nil }
        let fitting = words.filter { $0.first == first && $0.hasLetters(of: self) }
        return fitting.count == 1 ? fitting[0] : nil
    }

    private func hasLetters(of word: String) -> Bool {
        var rest = word[...]
        for letter in self where letter == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}
