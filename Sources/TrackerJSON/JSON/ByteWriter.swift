import TrackerPlatform

/// Bytes under construction, in memory that grows by doubling.
///
/// Appending to a Swift array costs a uniqueness check and a call for each piece; an event has a hundred pieces.
package struct ByteWriter: ~Copyable {
    package private(set) var start: UnsafeMutablePointer<UInt8>
    package private(set) var capacity: Int

    private var ownsMemory = true

    /// Whether the output is within a JSON string, so that its quotation marks and escapes are escaped again.
    package var isInString = false

    /// The number of bytes written.
    package var count = 0

    package init(capacity: Int) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    /// Creates a writer that uses memory of the caller until it needs more.
    /// - Parameter memory: The memory, which must not be empty and must outlive the writer.
    package init(borrowing memory: UnsafeMutableBufferPointer<UInt8>) {
        (start, capacity, ownsMemory) = (memory.baseAddress!, memory.count, false)
    }

    deinit {
        if ownsMemory { start.deallocate() }
    }

    /// The bytes written so far; valid until the next change.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// A copy of the bytes.
    package var array: [UInt8] { Array(bytes) }

    /// The bytes as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Removes the bytes but keeps the memory.
    package mutating func removeAll() { count = 0 }

    /// Removes the last bytes.
    package mutating func removeLast(_ length: Int) { count -= length }

    /// Returns memory for `length` more bytes; the caller counts the bytes that it used with ``advance(by:)``.
    @inline(__always)
    package mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- count < length { grow(to: count + length) }
        return start + count
    }

    /// Counts bytes that the caller wrote to the memory of ``reserve(_:)``.
    @inline(__always)
    package mutating func advance(by length: Int) { count &+= length }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        advance(by: 1)
    }

    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        memcpy(reserve(bytes.count), source, bytes.count)
        advance(by: bytes.count)
    }

    package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Appends a literal as it is.
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends a text as it is.
    package mutating func append(raw text: String) { text.withBytes { append($0) } }

    /// Appends a whole number in decimal digits.
    package mutating func append(decimal number: Int64) {
        if 0..<10 ~= number { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
        var digits = number.magnitude
        // The longest number, -9223372036854775808, has 20 characters.
        let end = reserve(20) + 20
        var first = end
        repeat {
            let (rest, digit) = digits.quotientAndRemainder(dividingBy: 10)
            first -= 1
            first.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            digits = rest
        } while digits > 0
        if number < 0 { append(UInt8(ascii: "-")) }
        memmove(start + count, first, end - first)
        advance(by: end - first)
    }

    // Not inlined, because hardly any append grows the memory.
    @inline(never)
    private mutating func grow(to needed: Int) {
        let larger = max(needed, capacity * 2)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memcpy(memory, start, count)
        if ownsMemory { start.deallocate() }
        (start, capacity, ownsMemory) = (memory, larger, true)
    }
}

extension String {
    /// Calls `body` with the text in UTF-8.
    ///
    /// Unlike `withUTF8(_:)`, it is not mutating, so a constant needs no copy.
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
