import Glibc

/// Bytes under construction, in memory that grows by doubling.
///
/// Appending to a Swift array costs a uniqueness check and a call for each piece; an event has a hundred pieces.
package struct ByteWriter: ~Copyable {
    package private(set) var start: UnsafeMutablePointer<UInt8>
    package private(set) var capacity: Int

    /// Whether the memory is the writer's own.
    private var ownsMemory = true

    /// Whether what is appended stands within a JSON string, so that its quotation marks and escapes are escaped themselves.
    package var isInString = false

    /// How many bytes were written.
    package var count = 0

    package init(capacity: Int) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    /// Creates a writer that uses memory of the caller until it needs more.
    /// - Parameter memory: The memory, which is not empty and outlives the writer.
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
        if capacity &- count < length { grow(to: count + length) }
        return start + count
    }

    /// Counts bytes that were put where ``reserve(_:)`` said.
    @inline(__always)
    package mutating func advance(by length: Int) {
        count &+= length
    }

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
        let target = UnsafeMutableRawPointer(reserve(Self.decimalBytes))
        advance(by: Self.put(decimal: number, at: target) - target)
    }

    /// The most bytes that ``put(decimal:at:)`` uses.
    private static let decimalBytes = 32

    /// Puts a whole number in decimal digits at a place.
    /// - Returns: The place after it.
    static func put(decimal number: Int64, at place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        if 0..<10 ~= number {
            place.storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number), as: UInt8.self)
            return place + 1
        }
        if number >= 0 { return put(decimal: number.magnitude, at: place) }
        place.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
        return put(decimal: number.magnitude, at: place + 1)
    }

    private static func put(decimal number: UInt64, at place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var place = place
        let (upper, lower) = number.quotientAndRemainder(dividingBy: 100_000_000)
        let digits = decimalDigits(lower)
        var skipped = 0
        if upper > 0 {
            place = put(decimal: upper, at: place)
        } else {
            // The zeros at the front, but for the last digit.
            skipped = min(digits.trailingZeroBitCount / 8, 7)
        }
        let text = (digits | 0x3030_3030_3030_3030) >> UInt64(skipped * 8)
        place.storeBytes(of: text.littleEndian, as: UInt64.self)
        return place + (8 - skipped)
    }

    /// The eight digits of a number below 100,000,000 as values of 0 to 9, the first in the lowest byte.
    private static func decimalDigits(_ number: UInt64) -> UInt64 {
        // Two numbers of four digits, then four of two, then eight of one. The factors are 1/100 and 1/10 in fixed point.
        let fours = number / 10_000 | (number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- tens &* 10) << 8
    }

    // Not inlined: every append may need it, and hardly any does.
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
    /// Unlike `withUTF8(_:)` it does not change the text, which would cost a copy of it.
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
