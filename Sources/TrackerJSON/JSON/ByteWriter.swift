import Glibc

/// Bytes under construction, in memory of their own that grows by doubling.
///
/// Appending to a Swift array costs a uniqueness check and a call for each piece; an event has a hundred pieces.
package struct ByteWriter: ~Copyable {
    package private(set) var start: UnsafeMutablePointer<UInt8>
    package private(set) var capacity: Int

    /// How many bytes were written.
    package var count = 0

    package init(capacity: Int) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    deinit {
        start.deallocate()
    }

    /// The bytes written so far; valid until the next change.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// A copy of the bytes.
    package var array: [UInt8] { Array(bytes) }

    /// The bytes as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets the bytes and keeps the memory.
    package mutating func removeAll() {
        count = 0
    }

    /// Forgets the last bytes.
    package mutating func removeLast(_ length: Int) {
        count -= length
    }

    /// A place for `length` more bytes; the caller says with ``advance(by:)`` how many it used.
    @inline(__always)
    package mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if count + length > capacity { grow(to: count + length) }
        return start + count
    }

    /// Counts bytes that were put where ``reserve(_:)`` said.
    @inline(__always)
    package mutating func advance(by length: Int) {
        count += length
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        memcpy(reserve(bytes.count), source, bytes.count)
        count += bytes.count
    }

    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Appends a literal as it is.
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends a text as it is.
    package mutating func append(raw text: String) {
        text.withBytes { append($0) }
    }

    /// Appends a whole number in decimal digits.
    package mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var length = 1
        var bound: UInt64 = 10
        while length < 20, magnitude >= bound {
            length &+= 1
            bound = bound &* 10
        }
        let target = reserve(length)
        var rest = magnitude
        for place in stride(from: length &- 1, through: 0, by: -1) {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            target[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: remainder)
            rest = quotient
        }
        advance(by: length)
    }

    package mutating func grow(to needed: Int) {
        let larger = max(needed, capacity * 2)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memcpy(memory, start, count)
        start.deallocate()
        start = memory
        capacity = larger
    }
}

extension String {
    /// Calls `body` with the text in UTF-8.
    ///
    /// Unlike `withUTF8(_:)` it does not change the text, which would cost a copy of it.
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
