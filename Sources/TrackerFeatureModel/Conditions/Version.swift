/// A version such as "1.2.3-rc.1". Its parts are between "." and "-", and compare as numbers of any length.
///
/// A leading "v" and the part after "+" do not count, and missing numbers are zero. A pre-release comes before its
/// version; it begins at the first part that is not a number, or at a "-" after the third number. A text that does not
/// begin with a number comes after all versions.
struct Version: Sendable {
    private let text: String

    /// Creates a version; nil unless it is a text or a number.
    init?(_ value: JSONValue) {
        switch value {
        case .string, .int, .double: text = Self.text(of: value)
        case .null, .bool, .array, .object: return nil
        }
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text) where !text.isEmpty: text
        case .int, .double: value.javaScriptText
        default: "0"
        }
    }

    /// Compares the version of an attribute with this one.
    /// - Parameter attribute: A text or a number; anything else, and an empty text, is version "0".
    /// - Returns: A negative number if the attribute's version is lower, 0 if both are equal.
    func order(of attribute: JSONValue) -> Int {
        var (left, right) = (VersionParts(Self.text(of: attribute)), VersionParts(text))
        var (one, other) = (left.number(), right.number())
        if (one == nil) != (other == nil) { return one == nil ? 1 : -1 }
        let areNumbered = one != nil
        while one != nil || other != nil {
            let order = Substring.UTF8View.order(ofNumber: one ?? "0"[...].utf8, other ?? "0"[...].utf8)
            if order != 0 { return order }
            (one, other) = (left.number(), right.number())
        }
        if areNumbered, left.isAtEnd != right.isAtEnd { return left.isAtEnd ? 1 : -1 }
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            case (let one?, let other?):
                let order = one.order(to: other)
                if order != 0 { return order }
            }
        }
    }
}

/// The remaining parts of a version.
private struct VersionParts {
    private var rest: Substring.UTF8View?
    private var isAfterHyphen = false
    private var numbers = 0

    init(_ text: String) {
        rest = text.utf8.dropFirst(text.utf8.first == UInt8(ascii: "v") ? 1 : 0).prefix { $0 != UInt8(ascii: "+") }
    }

    var isAtEnd: Bool { rest == nil }

    private var part: Substring.UTF8View? {
        rest?.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
    }

    /// Takes a number; nil if the end or a pre-release follows.
    mutating func number() -> Substring.UTF8View? {
        guard let part, part.isNumber, numbers < 3 || !isAfterHyphen else { return nil }
        numbers += 1
        return next()
    }

    /// Takes a part; nil at the end.
    mutating func next() -> Substring.UTF8View? {
        guard let part, let rest else { return nil }
        let isLast = part.endIndex == rest.endIndex
        isAfterHyphen = !isLast && rest[part.endIndex] == UInt8(ascii: "-")
        self.rest = isLast ? nil : rest[part.endIndex...].dropFirst()
        return part
    }
}

extension Substring.UTF8View {
    fileprivate var isNumber: Bool { !isEmpty && allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }

    fileprivate static func order(ofNumber left: Self, _ right: Self) -> Int {
        let left = left.drop { $0 == UInt8(ascii: "0") }
        let right = right.drop { $0 == UInt8(ascii: "0") }
        return left.count == right.count ? left.orderOfBytes(to: right) : left.count - right.count
    }

    /// Compares parts of pre-releases; numbers come before texts.
    fileprivate func order(to other: Self) -> Int {
        switch (isNumber, other.isNumber) {
        case (true, true): Self.order(ofNumber: self, other)
        case (false, false): orderOfBytes(to: other)
        case (let isNumber, _): isNumber ? -1 : 1
        }
    }
}

extension Collection<UInt8> {
    /// Compares two texts by their bytes, which is the order of Unicode scalars.
    /// - Returns: A negative number if the first text is lower, 0 if both are equal.
    func orderOfBytes(to other: some Collection<UInt8>) -> Int {
        lexicographicallyPrecedes(other) ? -1 : elementsEqual(other) ? 0 : 1
    }
}
