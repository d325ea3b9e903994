/// The members of a JSON object, in the order of the text.
///
/// It is a list of pairs rather than a dictionary, because an event's data is written once and never looked up, and to
/// keep the author's order. Two objects with the same members in another order are equal. Names are compared by their
/// bytes.
public struct JSONObject: Sendable {
    /// A name with its value.
    package typealias Member = (name: String, value: JSONValue)

    /// The members, each name once.
    public private(set) var members: [(name: String, value: JSONValue)] = []

    /// Creates an object without members.
    public init() {}

    /// Creates an object; a repeated name keeps its first place and its last value.
    /// - Parameter members: Names and values.
    public init(_ members: [(String, JSONValue)]) {
        self.members.reserveCapacity(members.count)
        // A scan for each name would be quadratic.
        let isLong = members.count > 16
        var indexes: [ExactText: Int] = [:]
        for (name, value) in members {
            if let index = isLong ? indexes[ExactText(name)] : index(of: name) {
                self.members[index].value = value
            } else {
                if isLong { indexes[ExactText(name)] = self.members.count }
                self.members.append((name, value))
            }
        }
    }

    /// Creates an object from members with distinct names.
    package init(unique members: [Member]) { self.members = members }

    /// Creates an object from the members that have a value; their names must be distinct.
    package init(present members: [(String, JSONValue?)]) {
        self.members.reserveCapacity(members.count)
        for case (let name, let value?) in members { self.members.append((name, value)) }
    }

    /// The value of a name; setting nil removes the member.
    public subscript(name: String) -> JSONValue? {
        get { index(of: name).map { members[$0].value } }
        set {
            let index = index(of: name)
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    @inline(__always)
    private func index(of name: String) -> Int? {
        // Buffer access avoids copies of the elements and their reference counting.
        members.withUnsafeBufferPointer { members in
            for index in members.indices where members[index].name.isExactly(name) { return index }
            return nil
        }
    }

    /// Whether the object is empty.
    public var isEmpty: Bool { members.isEmpty }

    /// The number of members.
    public var count: Int { members.count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object; a repeated name keeps its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        // Usually the order is the same too, and no dictionary is needed.
        if zip(left.members, right.members).allSatisfy({ $0.name.isExactly($1.name) && $0.value == $1.value }) {
            return true
        }
        return left.dictionary == right.dictionary
    }

    /// Hashes the members without regard to their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dictionary)
    }

    private var dictionary: [ExactText: JSONValue] {
        Dictionary(members.map { (ExactText($0.name), $0.value) }) { $1 }
    }
}
