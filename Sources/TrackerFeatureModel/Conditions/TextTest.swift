/// Whether a value as JavaScript's text equals a text, without making the text of a number.
struct TextTest: Sendable {
    private let text: String
    /// The number of which it is the text.
    private let integer: Int?
    private let number: Double?

    init(_ text: String) {
        self.text = text
        integer = Int(text).flatMap { String($0) == text ? $0 : nil }
        let number = Double(javaScript: text)
        self.number = number.javaScriptText == text ? number : nil
    }

    func matches(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let other): other.isExactly(text)
        case .int(let other): other == integer
        case .double(let other): other == number
        case .null, .bool, .array, .object: value.javaScriptText.isExactly(text)
        }
    }
}
