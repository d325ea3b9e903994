import Glibc

/// The bytes of a write-ahead log of SQLite (https://sqlite.org/fileformat2.html#walformat), as far as a power failure
/// needs to know them.
struct WriteAheadLog {
    /// How far a log was at one moment.
    struct Position: Equatable {
        /// Tells one round of the log from the next.
        let salt: UInt64
        let frames: Int
    }

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private(set) var bytes: [UInt8]

    /// The log of a file's bytes; nil if it has none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize else { return nil }
        self.bytes = bytes
    }

    private var frameSize: Int { Self.frameHeaderSize + Int(word(8)) }

    private func word(_ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func salt(_ place: Int) -> UInt64 { UInt64(word(place)) << 32 | UInt64(word(place + 4)) }

    /// The frames of this round.
    var position: Position {
        let salt = salt(16)
        var frames = 0
        while Self.headerSize + (frames + 1) * frameSize <= bytes.count,
            self.salt(Self.headerSize + frames * frameSize + 8) == salt
        {
            frames += 1
        }
        return Position(salt: salt, frames: frames)
    }

    /// How far the log in a file is; only what follows an earlier position of it is read.
    static func position(of path: String, from earlier: Position?) -> Position? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        func read(_ count: Int, at place: Int) -> WriteAheadLog? {
            var bytes = [UInt8](repeating: 0, count: count)
            return pread(descriptor, &bytes, count, off_t(place)) == count ? WriteAheadLog(bytes) : nil
        }
        // A frame's header is padded, so that it can be read like that of the log.
        guard let header = read(headerSize, at: 0) else { return nil }
        let salt = header.salt(16)
        var frames = earlier?.salt == salt ? earlier?.frames ?? 0 : 0
        while let frame = read(headerSize, at: headerSize + frames * header.frameSize), frame.salt(8) == salt {
            frames += 1
        }
        return Position(salt: salt, frames: frames)
    }

    /// Tears the end off: some frames after a position are lost, and the first of them is torn within.
    /// - Returns: Whether anything was lost.
    mutating func tear(after synced: Position?, _ dice: Dice) -> Bool {
        let now = position
        let first = synced?.salt == now.salt ? synced?.frames ?? 0 : 0
        guard first < now.frames else { return false }
        let lost = dice.within(first...now.frames - 1)
        let cut = Self.headerSize + lost * frameSize + dice.below(frameSize)
        if dice.chance(percent: 50) {
            bytes.removeLast(bytes.count - cut)
        } else {
            for place in cut..<bytes.count { bytes[place] = 0 }
        }
        return true
    }
}
