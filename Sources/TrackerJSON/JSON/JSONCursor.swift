/// Writes JSON into memory as if no text needed an escape, and looks at all of it afterwards: that takes half the time of a look
/// at each text.
///
/// No call stands between a text that is read from an array and the end of its use, or its references would be counted.
struct JSONCursor {
    /// The most bytes of a value that is not a text, with the brackets, colons and commas beside it.
    private static let mostBytes = 40

    /// Where the next byte comes.
    private(set) var place: UnsafeMutableRawPointer
    private let end: UnsafeMutableRawPointer
    /// A quotation mark, with a backslash before it within a string, and how many bytes that is.
    private let quote: (bytes: UInt16, count: Int)
    /// The names and texts so far.
    private var texts = 0

    /// - Parameters:
    ///   - place: Where the JSON begins.
    ///   - end: The end of the memory.
    ///   - isInString: Whether the JSON stands within a JSON string.
    init(at place: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer, isInString: Bool) {
        (self.place, self.end) = (place, end)
        quote = isInString ? (0x225C, 2) : (0x22, 1)
    }

    /// Writes a value.
    /// - Returns: Whether there was room; if not, anything may have been written.
    mutating func write(_ value: JSONValue) -> Bool {
        guard end - place >= Self.mostBytes else { return false }
        switch value {
        case .null: put(0x6C6C_756E, 4)
        case .bool(true): put(0x6575_7274, 4)
        case .bool(false): put(0x65_736C_6166, 5)
        case .int(let number): place = ByteWriter.put(decimal: Int64(number), at: place)
        case .largeInteger(let number): return number.digits.withBytes { write($0) }
        case .double(let number): return write(number)
        case .string(let text): return write(text)
        case .array(let elements):
            return elements.withUnsafeBufferPointer { elements in
                put(UInt64(UInt8(ascii: "[")), 1)
                for index in elements.indices {
                    guard write(elements[index]) else { return false }
                    put(UInt64(UInt8(ascii: ",")), 1)
                }
                return close(with: "]", isEmpty: elements.isEmpty)
            }
        case .object(let object): return write(object)
        }
        return true
    }

    /// Writes an object.
    /// - Returns: Whether there was room; if not, anything may have been written.
    mutating func write(_ object: JSONObject) -> Bool {
        guard end - place >= Self.mostBytes else { return false }
        return object.members.withUnsafeBufferPointer { members in
            put(UInt64(UInt8(ascii: "{")), 1)
            for index in members.indices {
                guard write(members[index].name) else { return false }
                put(UInt64(UInt8(ascii: ":")), 1)
                if case .string(let text) = members[index].value {
                    guard write(text) else { return false }
                } else {
                    guard write(members[index].value) else { return false }
                }
                put(UInt64(UInt8(ascii: ",")), 1)
            }
            return close(with: "}", isEmpty: members.isEmpty)
        }
    }

    /// Writes a bracket in the place of the last comma.
    @inline(__always)
    private mutating func close(with bracket: Unicode.Scalar, isEmpty: Bool) -> Bool {
        guard end - place >= Self.mostBytes else { return false }
        if !isEmpty { place -= 1 }
        put(UInt64(bracket.value), 1)
        return true
    }

    /// Writes a text, and leaves room for what is not one.
    /// - Returns: Whether there was room.
    @inline(__always)
    mutating func write(_ text: String) -> Bool {
        text.withBytes { bytes in
            guard end - place >= bytes.count &+ Self.mostBytes else { return false }
            put(UInt64(quote.bytes), quote.count)
            Self.copy(bytes, to: place)
            place += bytes.count
            put(UInt64(quote.bytes), quote.count)
            texts &+= 1
            return true
        }
    }

    /// Writes a member, and a comma before it.
    /// - Returns: Whether there was room.
    mutating func write(_ name: String, _ value: String) -> Bool {
        guard end - place >= Self.mostBytes else { return false }
        put(UInt64(UInt8(ascii: ",")), 1)
        guard write(name) else { return false }
        put(UInt64(UInt8(ascii: ":")), 1)
        return write(value)
    }

    /// Writes bytes without quotation marks.
    /// - Returns: Whether there was room.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard end - place >= bytes.count &+ Self.mostBytes else { return false }
        Self.copy(bytes, to: place)
        place += bytes.count
        return true
    }

    /// Writes a number as `Double.description` does, or `null` if it is not finite.
    private mutating func write(_ number: Double) -> Bool {
        guard number.isFinite else { return write(.null) }
        // Most are amounts. A number has one decimal form of at most fifteen digits, so this is the shortest. The sum with a
        // number of 52 bits leaves no room for a fraction.
        let hundredths = (number * 100 + 0x1.8p52) - 0x1.8p52
        guard hundredths.magnitude < 1e15, hundredths / 100 == number, hundredths != 0 else {
            return number.description.withBytes { write($0) }
        }
        if number < 0 { put(UInt64(UInt8(ascii: "-")), 1) }
        let (amount, part) = Int64(hundredths.magnitude).quotientAndRemainder(dividingBy: 100)
        place = ByteWriter.put(decimal: amount, at: place)
        let (tenths, rest) = UInt64(truncatingIfNeeded: part).quotientAndRemainder(dividingBy: 10)
        put(0x30_302E | tenths &<< 8 | rest &<< 16, rest > 0 ? 3 : 2)
        return true
    }

    /// Writes the first bytes of a word.
    @inline(__always)
    private mutating func put(_ bytes: UInt64, _ count: Int) {
        place.storeBytes(of: bytes.littleEndian, as: UInt64.self)
        place += count
    }

    /// Copies bytes. Most texts are short, so that a call of `memcpy` would cost more.
    @inline(__always)
    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        let count = bytes.count
        // Both ends at a time, which may overlap.
        if count >= 16 {
            var index = 0
            while index < count &- 16 {
                copy(bytes, at: index, to: target, as: SIMD2<UInt64>.self)
                index &+= 16
            }
            copy(bytes, at: count &- 16, to: target, as: SIMD2<UInt64>.self)
        } else if count >= 8 {
            copy(bytes, at: 0, to: target, as: UInt64.self)
            copy(bytes, at: count &- 8, to: target, as: UInt64.self)
        } else if count >= 4 {
            copy(bytes, at: 0, to: target, as: UInt32.self)
            copy(bytes, at: count &- 4, to: target, as: UInt32.self)
        } else if count >= 2 {
            copy(bytes, at: 0, to: target, as: UInt16.self)
            copy(bytes, at: count &- 2, to: target, as: UInt16.self)
        } else if count == 1 {
            copy(bytes, at: 0, to: target, as: UInt8.self)
        }
    }

    @inline(__always)
    private static func copy<Word: BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, at index: Int, to target: UnsafeMutableRawPointer, as type: Word.Type
    ) {
        target.storeBytes(
            of: bytes.loadUnaligned(fromByteOffset: index, as: Word.self), toByteOffset: index, as: Word.self)
    }

    /// Looks for characters that need an escape.
    /// - Parameter first: Where the JSON begins.
    /// - Returns: Whether no text has one: the quotation marks and backslashes are those around so many texts, and there is no
    ///   control character.
    func isPlain(from first: UnsafeMutableRawPointer) -> Bool {
        func all(_ byte: UInt64) -> SIMD2<UInt64> { SIMD2(repeating: 0x0101_0101_0101_0101 &* byte) }
        // Sixteen bytes at a time, the last of which are spaces: there is room, because what is written last is shorter than
        // what was asked for.
        assert(end - place >= 16)
        place.storeBytes(of: all(0x20), as: SIMD2<UInt64>.self)
        var next = UnsafeRawPointer(first)
        var others = 0
        var controls = all(0)
        while next < place {
            var sums = all(0)
            // A byte counts to 255.
            let last = min(UnsafeRawPointer(place), next + 16 &* 255)
            while next < last {
                let words = next.loadUnaligned(as: SIMD2<UInt64>.self)
                // With seven bits, a sum has the highest bit if a byte is not the one that is looked for.
                let bits = words & all(0x7F)
                let notQuote = (bits ^ all(0x22)) &+ all(0x7F)
                let notBackslash = (bits ^ all(0x5C)) &+ all(0x7F)
                sums &+= ((notQuote & notBackslash | words) &>> SIMD2(repeating: 7)) & all(1)
                controls |= (words &- all(0x20)) & ~words
                next += 16
            }
            // The sum of the bytes of a word, two at a time and then all, comes into the highest ones.
            let even = SIMD2<UInt64>(repeating: 0x00FF_00FF_00FF_00FF)
            let pairs = (sums & even) &+ (sums &>> SIMD2(repeating: 8) & even)
            others &+= Int(((pairs.x &+ pairs.y) &* 0x0001_0001_0001_0001) &>> 48)
        }
        let found = next - UnsafeRawPointer(first) - others
        return found == 2 &* quote.count &* texts && (controls.x | controls.y) & 0x8080_8080_8080_8080 == 0
    }
}
