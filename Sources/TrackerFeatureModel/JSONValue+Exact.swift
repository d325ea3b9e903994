extension JSONValue {
    /// Whether both values are identical: same bytes in texts, same bits in numbers, same order of members.
    package func isExactly(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.isExactly(right)
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isExactly($1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && zip(left.members, right.members).allSatisfy {
                    $0.name.isExactly($1.name) && $0.value.isExactly($1.value)
                }
        default: self == other
        }
    }
}
