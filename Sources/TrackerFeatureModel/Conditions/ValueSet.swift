/// The members of a list, for look-ups by JavaScript's strict equality. Lists and objects in it are equal to nothing.
final class ValueSet: Sendable {
    /// Few texts are compared one after the other, which is faster than to hash one.
    private static let few = 8

    private let fewTexts: [String]
    private let texts: Set<ExactText>
    /// The UTF-8 bytes of the longest text, so that no longer one is hashed.
    private let longest: Int
    private let numbers: Set<Double>
    /// The integers that no double has.
    private let largeIntegers: Set<Int>
    private let hasNull: Bool
    private let hasTrue: Bool
    private let hasFalse: Bool
    private let ignoresCase: Bool

    /// Compiles a list.
    /// - Parameters:
    ///   - members: The members.
    ///   - ignoresCase: Whether texts are compared in lower case.
    init(_ members: [JSONValue], ignoresCase: Bool = false) {
        var texts: Set<ExactText> = []
        var numbers: Set<Double> = []
        var largeIntegers: Set<Int> = []
        var (hasNull, hasTrue, hasFalse) = (false, false, false)
        for member in members {
            switch member {
            case .null: hasNull = true
            case .bool(true): hasTrue = true
            case .bool(false): hasFalse = true
            case .int(let number):
                if let double = Double(exactly: number) {
                    numbers.insert(double)
                } else {
                    largeIntegers.insert(number)
                }
            case .double(let number): numbers.insert(number)
            case .string(let text): texts.insert(ExactText(ignoresCase ? text.lowercased() : text))
            case .array, .object: break
            }
        }
        fewTexts = texts.count <= Self.few ? texts.map(\.text) : []
        self.texts = texts.count <= Self.few ? [] : texts
        longest = texts.map(\.text.utf8.count).max() ?? -1
        (self.numbers, self.largeIntegers) = (numbers, largeIntegers)
        (self.hasNull, self.hasTrue, self.hasFalse, self.ignoresCase) = (hasNull, hasTrue, hasFalse, ignoresCase)
    }

    /// Whether an attribute is a member, or one of its elements if it is a list.
    func contains(anyOf attribute: JSONValue) -> Bool {
        if case .array(let elements) = attribute { return elements.contains { contains($0) } }
        return contains(attribute)
    }

    private func contains(_ value: JSONValue) -> Bool {
        switch value {
        case .null: hasNull
        case .bool(let value): value ? hasTrue : hasFalse
        case .int(let number):
            if let double = Double(exactly: number) { numbers.contains(double) } else { largeIntegers.contains(number) }
        case .double(let number): numbers.contains(number)
        case .string(let text): contains(text)
        case .array, .object: false
        }
    }

    private func contains(_ text: String) -> Bool {
        // A letter's cases may differ in their number of bytes, but not by more than this.
        guard text.utf8.count <= (ignoresCase ? longest * 3 : longest) else { return false }
        let text = ignoresCase && !text.isLowercaseASCII ? text.lowercased() : text
        return texts.isEmpty ? fewTexts.contains { $0.isExactly(text) } : texts.contains(ExactText(text))
    }
}

extension String {
    /// Whether the text is its own lower case for certain, and needs no copy.
    fileprivate var isLowercaseASCII: Bool {
        utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }
    }
}
