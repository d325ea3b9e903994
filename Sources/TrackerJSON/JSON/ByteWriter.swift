import Glibc

/// Bytes under construction, in memory of their own that grows by doubling.
///
/// Appending to a Swift array costs a uniqueness check and a call for each piece; an event has a hundred pieces.
///
/// What is called for each piece can be inlined into the modules that encode events.
package struct ByteWriter: ~Copyable {
    @usableFromInline package private(set) var start: UnsafeMutablePointer<UInt8>
    @usableFromInline package private(set) var capacity: Int
    private var ownsMemory = true

    /// How many bytes were written.
    @usableFromInline package var count = 0

    package init(capacity: Int) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    /// Writes into memory of the caller's, and into memory of its own once that is full.
    private init(borrowing memory: UnsafeMutableBufferPointer<UInt8>, at start: UnsafeMutablePointer<UInt8>) {
        (self.start, capacity, ownsMemory) = (start, memory.count, false)
    }

    deinit {
        if ownsMemory { start.deallocate() }
    }

    /// Writes an array in place.
    /// - Parameters:
    ///   - capacity: The size that is expected, in bytes. A larger array costs a copy.
    ///   - body: Writes the bytes.
    /// - Returns: The array.
    package static func array(capacity: Int, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var larger: [UInt8]?
        let array = [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { memory, count in
            guard let start = memory.baseAddress else { return }
            var writer = ByteWriter(borrowing: memory, at: start)
            body(&writer)
            if writer.ownsMemory { larger = writer.array } else { count = writer.count }
        }
        return larger ?? array
    }

    /// The bytes written so far; valid until the next change.
    @inlinable package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// A copy of the bytes.
    package var array: [UInt8] { Array(bytes) }

    /// The bytes as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets the bytes and keeps the memory.
    @inlinable
    package mutating func removeAll() {
        count = 0
    }

    /// Forgets the last bytes.
    @inlinable
    package mutating func removeLast(_ length: Int) {
        count -= length
    }

    /// A place for `length` more bytes; the caller says with ``advance(by:)`` how many it used.
    @inlinable
    @inline(__always)
    package mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if count + length > capacity { grow(to: count + length) }
        return start + count
    }

    /// Counts bytes that were put where ``reserve(_:)`` said.
    @inlinable
    @inline(__always)
    package mutating func advance(by length: Int) {
        count += length
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        memcpy(reserve(bytes.count), source, bytes.count)
        count += bytes.count
    }

    @inlinable
    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Appends a literal as it is.
    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends a text as it is.
    @inlinable
    package mutating func append(raw text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a whole number in decimal digits.
    package mutating func append(decimal number: Int64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number.magnitude
            var place = 20
            repeat {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 { append(UInt8(ascii: "-")) }
            append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[place...]))
        }
    }

    @usableFromInline
    package mutating func grow(to needed: Int) {
        let larger = max(needed, capacity * 2)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memcpy(memory, start, count)
        if ownsMemory { start.deallocate() }
        ownsMemory = true
        start = memory
        capacity = larger
    }
}
