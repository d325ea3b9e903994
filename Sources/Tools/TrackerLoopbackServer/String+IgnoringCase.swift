extension String {
    /// Whether both are the same text but for the case of ASCII letters.
    func isEqualIgnoringCase(to other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 {
        (0x41...0x5a).contains(self) ? self | 0x20 : self
    }
}
