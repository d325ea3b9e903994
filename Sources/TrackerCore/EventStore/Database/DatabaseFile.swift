import Glibc

/// A database file with its write-ahead log, read without SQLite, because SQLite passes over what lies behind damage.
///
/// Nothing is followed from page to page but the pages of a long row, each at most once, so that no damage can make the reader
/// go in circles. It reads a page at a time and changes nothing.
final class DatabaseFile {
    /// Where an image of a page is: in the database, or in the log.
    struct Image: Equatable {
        let number: UInt32
        let isInLog: Bool
        let offset: Int
    }

    let path: String
    let pageSize: Int
    /// The bytes of the database and of its log.
    let size: Int
    /// What the log has; nil without one.
    let log: WriteAheadLog?
    private let database: Int32
    private let logFile: Int32
    private let pagesInDatabase: Int
    private var buffer: [UInt8]
    private var loaded: Image?

    /// Opens a database.
    /// - Parameters:
    ///   - path: The file; neither it nor its log may be a symbolic link.
    ///   - pageSize: The size of its pages in bytes, a power of two from 512 to 65,536.
    /// - Throws: If one of them cannot be read for another reason than damage.
    init(path: String, pageSize: Int) throws(EventStoreError) {
        (self.path, self.pageSize) = (path, pageSize)
        buffer = [UInt8](repeating: 0, count: pageSize)
        database = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard database >= 0 else { throw Self.failure(.open, path) }
        let databaseSize = max(0, Int(lseek(database, 0, SEEK_END)))
        // The last one may have been cut off; no database has more than 2³² pages.
        pagesInDatabase = min((databaseSize + pageSize - 1) / pageSize, Int(UInt32.max))
        logFile = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard logFile >= 0 || errno == ENOENT else {
            let failure = Self.failure(.open, path + "-wal")
            close(database)
            throw failure
        }
        log = logFile < 0 ? nil : WriteAheadLog(logFile, expecting: pageSize)
        size = databaseSize + (logFile < 0 ? 0 : max(0, Int(lseek(logFile, 0, SEEK_END))))
    }

    deinit {
        close(database)
        if logFile >= 0 { close(logFile) }
    }

    /// Whether an open file begins as a database that SQLite can write does; SQLite takes some other beginnings for a reason not
    /// to.
    static func hasHeader(_ file: Int32) -> Bool {
        let header = header(of: file)
        return header.starts(with: Array("SQLite format 3\0".utf8)) && header[18...19].allSatisfy { 1...2 ~= $0 }
    }

    private static func header(of file: Int32) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 100)
        _ = pread(file, &header, header.count, 0)
        return header
    }

    /// The sizes that the pages of a database may have, in bytes, the likeliest first: what its header says, then the SDK's own.
    static func pageSizes(of path: String) -> [Int] {
        let all = [SQLiteEventStore.pageSize, 4096] + (9...16).map { 1 << $0 }
        let stated = statedPageSize(of: path)
        return all.contains(stated) ? [stated] + all.filter { $0 != stated } : all
    }

    /// The size of pages that the header of a file states, which may be damaged.
    static func statedPageSize(of path: String) -> Int {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        let header = header(of: file)
        if file >= 0 { close(file) }
        let stated = Int(header[16]) << 8 | Int(header[17])
        return stated == 1 ? 1 << 16 : stated
    }

    /// The images of pages that may have rows: the newest of each page. Beside one in the log that is damaged, the one before it
    /// counts too.
    func forEachImage(_ body: (Image) -> Void) {
        let log = self.log?.pageSize == pageSize ? self.log : nil
        let count = log?.pageCount.map(Int.init) ?? pagesInDatabase
        for number in 0..<min(count, pagesInDatabase) where log?.pages[UInt32(number + 1)] == nil {
            body(Image(number: UInt32(number + 1), isInLog: false, offset: number * pageSize))
        }
        guard let log else { return }
        for (number, offset) in log.pages where number <= count {
            body(Image(number: number, isInLog: true, offset: offset))
        }
        for (number, offset) in log.damagedPages {
            body(Image(number: number, isInLog: true, offset: offset))
        }
    }

    /// Calls `body` with the bytes of an image; those that the file does not have are zero.
    func withBytes<Result>(of image: Image, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if loaded != image { load(image) }
        return buffer.withUnsafeBytes(body)
    }

    private func load(_ image: Image) {
        let read = buffer.withUnsafeMutableBytes {
            pread(image.isInLog ? logFile : database, $0.baseAddress, pageSize, image.offset)
        }
        // What a disk cannot read has no rows.
        for index in max(0, read)..<pageSize { buffer[index] = 0 }
        loaded = image
    }

    /// The newest image of a page; nil if there is no such page.
    func image(of number: UInt32) -> Image? {
        if let log, log.pageSize == pageSize, let offset = log.pages[number] {
            return Image(number: number, isInLog: true, offset: offset)
        }
        guard number > 0, Int(number) <= pagesInDatabase else { return nil }
        return Image(number: number, isInLog: false, offset: (Int(number) - 1) * pageSize)
    }

    /// Appends the bytes of a row that are beyond its first page.
    /// - Parameters:
    ///   - first: The number of the first of its further pages.
    ///   - count: How many bytes are missing.
    ///   - payload: Gets the bytes.
    /// - Returns: Whether all are there.
    func appendOverflow(from first: UInt32, _ count: Int, to payload: inout [UInt8]) -> Bool {
        var (next, left) = (first, count)
        // No row has more pages than the files.
        var pages = size / pageSize + 1
        while left > 0 {
            guard pages > 0, let image = image(of: next) else { return false }
            pages -= 1
            let take = min(left, pageSize - 4)
            next = withBytes(of: image) { page in
                payload.append(contentsOf: page[4..<4 + take])
                return page.bigEndian(0, 4)
            }
            left -= take
        }
        return true
    }

    private static func failure(_ operation: FileError.Operation, _ path: String) -> EventStoreError {
        EventStoreError(.unavailable, reason: FileError(operation, path: path).description)
    }
}

/// SQLite's write-ahead log, read without SQLite, which passes over all that lies behind damage without a word.
///
/// A frame's checksum goes on from that of the frame before it, which stands in the file as well; so each can be checked by itself.
struct WriteAheadLog {
    static let headerSize = 32
    static let frameHeaderSize = 24

    /// The offsets of the newest sound images, by the number of their page.
    private(set) var pages: [UInt32: Int] = [:]
    /// The damaged images that no sound one of the same page follows: rows in them may be sound.
    private(set) var damagedPages: [(number: UInt32, offset: Int)] = []
    /// The pages of the database after the last commit; nil if the log has no commit.
    private(set) var pageCount: UInt32?
    private(set) var pageSize: Int
    /// The bytes of the file.
    let size: Int
    /// Whether a commit lies behind damage.
    private(set) var isDamaged = false

    /// Reads the log at a path; nil if there is none, or it cannot be opened, or has not even one frame.
    /// - Parameters:
    ///   - path: The file.
    ///   - pageSize: The size of the database's pages, for a log whose own header is damaged.
    init?(path: String, expecting pageSize: Int) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        self.init(file, expecting: pageSize)
    }

    /// Reads an open log; nil if it has not even one frame.
    init?(_ file: Int32, expecting expectedPageSize: Int) {
        size = Int(lseek(file, 0, SEEK_END))
        guard size > Self.headerSize + Self.frameHeaderSize else { return nil }
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        guard pread(file, &header, header.count, 0) == header.count else { return nil }
        // Of a header that is damaged nothing is used: the SDK's own machine wrote the log.
        var isBigEndian = 1.bigEndian == 1
        var salts: UInt64?
        var sum: Checksum?
        pageSize = expectedPageSize
        header.withUnsafeBytes { header in
            let magic = header.bigEndian(0, 4)
            guard magic & ~1 == 0x377F_0682 else { return }
            var found = Checksum()
            found.add(UnsafeRawBufferPointer(rebasing: header[..<24]), isBigEndian: magic & 1 == 1)
            let named = Int(header.bigEndian(8, 4))
            guard found == Checksum(header, 24), 512...65536 ~= named, named & (named - 1) == 0 else { return }
            (isBigEndian, pageSize, sum) = (magic & 1 == 1, named, found)
            salts = header.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        }
        var isWhole = sum != nil
        var pending: [(number: UInt32, offset: Int, isSound: Bool)] = []
        var frame = [UInt8](repeating: 0, count: Self.frameHeaderSize + pageSize)
        for offset in stride(from: Self.headerSize, through: size - frame.count, by: frame.count) {
            guard pread(file, &frame, frame.count, offset) == frame.count else { break }
            frame.withUnsafeBytes { bytes in
                let stored = Checksum(bytes, 16)
                let own = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                var isSound = false
                if var found = sum, salts == nil || salts == own {
                    found.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]), isBigEndian: isBigEndian)
                    found.add(UnsafeRawBufferPointer(rebasing: bytes[24...]), isBigEndian: isBigEndian)
                    isSound = found == stored
                    if isSound { salts = own }
                }
                sum = stored
                if !isSound { isWhole = false }
                pending.append((bytes.bigEndian(0, 4), offset + Self.frameHeaderSize, isSound))
                let count = bytes.bigEndian(4, 4)
                // What no commit follows does not count: it was not committed, or is of an earlier use of the log.
                guard isSound, count > 0 else { return }
                pageCount = count
                if !isWhole { isDamaged = true }
                for frame in pending {
                    if frame.isSound {
                        pages[frame.number] = frame.offset
                    } else {
                        damagedPages.append((frame.number, frame.offset))
                    }
                }
                pending = []
            }
        }
        damagedPages.removeAll { [pages] page in (pages[page.number] ?? 0) > page.offset }
    }

    private struct Checksum: Equatable {
        private var (first, second): (UInt32, UInt32) = (0, 0)

        init() {}

        init(_ bytes: UnsafeRawBufferPointer, _ offset: Int) {
            (first, second) = (bytes.bigEndian(offset, 4), bytes.bigEndian(offset + 4, 4))
        }

        mutating func add(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let next = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                first &+= (isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)) &+ second
                second &+= (isBigEndian ? UInt32(bigEndian: next) : UInt32(littleEndian: next)) &+ first
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number that stands in some bytes, at most four, the highest first.
    func bigEndian(_ offset: Int, _ count: Int) -> UInt32 {
        self[offset..<offset + count].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
