/// The body of a request, in pieces that follow each other: a body of events is sent from where the events are, without a
/// copy of them all.
package struct HTTPBody: Sendable {
    /// The pieces, in order.
    private(set) var pieces: [ArraySlice<UInt8>] = []
    /// The number of bytes.
    package private(set) var count = 0

    /// Creates a body of no bytes, with room for some pieces.
    init(capacity: Int) {
        pieces.reserveCapacity(capacity)
    }

    /// Creates a body of one piece.
    package init(_ bytes: [UInt8]) {
        append(bytes[...])
    }

    mutating func append(_ piece: ArraySlice<UInt8>) {
        pieces.append(piece)
        count += piece.count
    }

    /// All bytes, put together.
    var bytes: [UInt8] {
        if pieces.count == 1 { return Array(pieces[0]) }
        // All empty arrays are one object, to which the initializer below would write.
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { target, count in
            var reader = Reader(self)
            count = reader.read(into: UnsafeMutableRawBufferPointer(target))
        }
    }

    /// Reads a body from the start to the end.
    struct Reader {
        private let body: HTTPBody
        private var piece = 0
        /// The bytes of the piece that were read.
        private var offset = 0

        init(_ body: HTTPBody) {
            self.body = body
        }

        /// Goes to a place in the body, in bytes from the start.
        mutating func move(to place: Int) {
            (piece, offset) = (0, max(place, 0))
            while piece < body.pieces.count, offset >= body.pieces[piece].count {
                offset -= body.pieces[piece].count
                piece += 1
            }
        }

        /// Copies as many of the next bytes as there is room for.
        /// - Returns: Their number; 0 at the end.
        mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
            var copied = 0
            while piece < body.pieces.count, copied < target.count {
                body.pieces[piece].withUnsafeBytes { bytes in
                    let length = min(bytes.count - offset, target.count - copied)
                    UnsafeMutableRawBufferPointer(rebasing: target[copied..<copied + length])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
                    copied += length
                    offset += length
                    guard offset == bytes.count else { return }
                    (piece, offset) = (piece + 1, 0)
                }
            }
            return copied
        }
    }
}
