extension JSONNode {
    /// A member of an object.
    @usableFromInline
    package struct Member: Sendable {
        @usableFromInline let text: JSONText
        @usableFromInline let index: Int

        @inlinable
        @inline(__always)
        init(_ text: JSONText, _ index: Int) {
            (self.text, self.index) = (text, index)
        }

        /// The name's.
        @inlinable var entry: JSONText.Entry {
            @inline(__always) get { text.entries[index] }
        }

        /// The member's name; made each time.
        package var name: String { text.string(entry) }

        /// Where the name begins, in bytes from the start of the text.
        @inlinable package var nameOffset: Int {
            @inline(__always) get { entry.offset }
        }

        /// The member's value.
        @inlinable package var value: JSONNode {
            @inline(__always) get { JSONNode(text, index + 1) }
        }

        /// Whether the value is null.
        @inlinable package var isNull: Bool {
            @inline(__always) get { text.entries[index + 1].kind == .null }
        }

        /// Whether the member has a name.
        package func isNamed(_ name: StaticString) -> Bool { text.isString(at: index, name) }

        /// Whether the member has a name.
        package func hasName(_ name: String) -> Bool { text.isString(at: index, name) }

        /// The name for a `switch`.
        package var key: Key { text.key(at: index) }
    }

    /// The name of a member, to be compared without making a string. Two that are equal and have up to sixteen bytes are the same
    /// name.
    @usableFromInline
    package struct Key: Sendable, Equatable {
        @usableFromInline let count: Int
        /// Both ends, which are all of a name of so few bytes.
        @usableFromInline let ends: SIMD2<UInt64>

        @inlinable
        @inline(__always)
        init(_ bytes: UnsafeRawPointer, _ count: Int) {
            self.count = count
            switch count {
            case 8...: ends = Self.ends(bytes, count - 8, UInt64.self)
            case 4...: ends = Self.ends(bytes, count - 4, UInt32.self)
            case 2...: ends = Self.ends(bytes, count - 2, UInt16.self)
            case 1: ends = Self.ends(bytes, 0, UInt8.self)
            default: ends = SIMD2()
            }
        }

        @inlinable
        @inline(__always)
        package init(_ name: StaticString) {
            self.init(name.utf8Start, name.utf8CodeUnitCount)
        }

        @inlinable
        @inline(__always)
        static func ends<Word: FixedWidthInteger & BitwiseCopyable>(
            _ bytes: UnsafeRawPointer, _ last: Int, _ type: Word.Type
        ) -> SIMD2<UInt64> {
            SIMD2(
                UInt64(truncatingIfNeeded: bytes.loadUnaligned(as: Word.self)),
                UInt64(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: last, as: Word.self)))
        }

        /// Matches a name of up to sixteen bytes.
        @inlinable
        @inline(__always)
        package static func ~= (name: StaticString, key: Key) -> Bool {
            precondition(name.utf8CodeUnitCount <= 16, "compare longer names with Member.isNamed(_:)")
            return name.utf8CodeUnitCount == key.count && Key(name).ends == key.ends
        }
    }

    /// The members of an object in the order of the text, each name once.
    @usableFromInline
    package struct Members: Sequence, Sendable {
        /// Goes from member to member.
        @usableFromInline
        package struct Iterator: IteratorProtocol {
            @usableFromInline let text: JSONText
            @usableFromInline var index: Int
            @usableFromInline let end: Int

            @inlinable
            @inline(__always)
            init(_ node: JSONNode) {
                (text, index, end) = (node.text, node.index + 1, node.entry.value)
            }

            @inlinable
            @inline(__always)
            package mutating func next() -> Member? {
                guard index < end else { return nil }
                let member = Member(text, index)
                index = text.entries.end(of: index + 1)
                return member
            }
        }

        @usableFromInline let node: JSONNode

        @inlinable
        @inline(__always)
        init(_ node: JSONNode) {
            self.node = node
        }

        @inlinable
        @inline(__always)
        package func makeIterator() -> Iterator { Iterator(node) }

        /// The number of members.
        package var count: Int { Int(node.entry.count) }

        /// The first member; nil if there is none.
        package var first: Member? { first { _ in true } }

        /// Whether there are none.
        package var isEmpty: Bool { node.entry.value == node.index + 1 }

        /// The value of the member of the same name as another one, with how many members come before it; nil if there is none.
        package func find(_ member: Member) -> (value: JSONNode, position: Int)? {
            node.text.member(member.entry, of: member.text, in: node.index)
        }

        /// The value of a member; nil if there is none of the name.
        package subscript(name: StaticString) -> JSONNode? { node.text.member(name, of: node.index) }
    }
}
