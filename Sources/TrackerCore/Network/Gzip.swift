import TrackerZlib

/// Compression of request bodies (RFC 1952).
package enum Gzip {
    // 15 bits of window, and 16 to select gzip's header and trailer instead of zlib's.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8
    private static let streamSize = Int32(MemoryLayout<z_stream>.size)

    /// Compresses bytes, fast rather than small.
    /// - Parameter bytes: The bytes.
    /// - Returns: The compressed bytes; nil if zlib has no memory, and the body is sent uncompressed.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let code = deflateInit2_(
            &stream, Z_BEST_SPEED, Z_DEFLATED, windowBits, memoryLevel, 0, zlibVersion(), streamSize)
        guard code == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        return run(&stream, bytes, bound: Int(deflateBound(&stream, UInt(bytes.count)))) { deflate(&$0, Z_FINISH) }
    }

    /// Decompresses bytes, for the collectors of tests.
    /// - Parameters:
    ///   - bytes: The compressed bytes.
    ///   - maxSize: The maximum size after decompression, in bytes; 64 MiB by default.
    /// - Returns: The bytes; nil if the compressed ones are damaged or truncated, or if the result exceeds the maximum.
    package static func decompress(_ bytes: [UInt8], maxSize: Int = 1 << 26) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, zlibVersion(), streamSize) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        // The last four bytes are the size before compression.
        let bound = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bound <= maxSize else { return nil }
        return run(&stream, bytes, bound: bound) { inflate(&$0, Z_FINISH) }
    }

    /// Passes all bytes through a stream at once; nil if the stream is incomplete.
    private static func run(
        _ stream: inout z_stream, _ bytes: [UInt8], bound: Int, _ step: (inout z_stream) -> Int32
    ) -> [UInt8]? {
        var isComplete = false
        let result = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(bound)
            isComplete = bytes.withUnsafeBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                return step(&stream) == Z_STREAM_END
            }
            count = bound - Int(stream.avail_out)
        }
        return isComplete ? result : nil
    }
}
