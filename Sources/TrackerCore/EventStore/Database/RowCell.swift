/// A cell of a page of a table: a row's id, the types of its columns, and where its bytes are.
struct RowCell {
    /// The tables whose rows have columns of their own.
    enum Kind { case event, position }

    let id: Int64
    let kind: Kind
    /// SQLite's numbers of the types of its columns, at most five.
    private let types: [UInt64]
    /// The bytes of the record, and of its header.
    private let size: Int
    private let headerSize: Int
    /// The bytes of the record in the page.
    private let local: Range<Int>
    /// The page with the further bytes; nil if there are none.
    private let overflow: UInt32?

    /// Calls `body` with each cell that may be a row of events or of positions in the staging file.
    /// - Returns: Whether all cells are such.
    static func forEach(
        in page: UnsafeRawBufferPointer, _ number: UInt32, _ body: (_ index: Int, RowCell) -> Void
    ) -> Bool {
        guard let count = count(in: page, number) else { return false }
        var isWhole = true
        for index in 0..<count {
            if let cell = RowCell(in: page, number, index) { body(index, cell) } else { isWhole = false }
        }
        return isWhole
    }

    /// The number of cells of a page of rows; nil for another page.
    private static func count(in page: UnsafeRawBufferPointer, _ number: UInt32) -> Int? {
        let start = start(number)
        guard page[start] == 13 else { return nil }
        return min(Int(page.bigEndian(start + 3, 2)), (page.count - start - 8) / 2)
    }

    /// Where the header of a page begins: the first page begins with that of the database.
    private static func start(_ number: UInt32) -> Int { number == 1 ? 100 : 0 }

    /// Reads a cell; nil if it is of no kind of row.
    init?(in page: UnsafeRawBufferPointer, _ number: UInt32, _ index: Int) {
        var offset = Int(page.bigEndian(Self.start(number) + 8 + 2 * index, 2))
        guard let size = page.variable(&offset), let id = page.variable(&offset), size <= 1 << 31 else { return nil }
        let (local, usable) = (Self.local(Int(size), page.count), page.count)
        let hasMore = local < size
        guard offset + local + (hasMore ? 4 : 0) <= usable else { return nil }
        var place = offset
        guard let header = page.variable(&place), header <= local else { return nil }
        var (types, sum) = ([UInt64](), Int(header))
        while place < offset + Int(header) {
            guard types.count < 5, let type = page.variable(&place), let size = Self.size(type) else { return nil }
            types.append(type)
            sum += size
        }
        guard place == offset + Int(header), sum == Int(size), let kind = Self.kind(types) else { return nil }
        (self.id, self.kind) = (Int64(bitPattern: id), kind)
        (self.types, self.size) = (types, Int(size))
        (headerSize, self.local) = (Int(header), offset..<offset + local)
        overflow = hasMore ? page.bigEndian(offset + local, 4) : nil
    }

    /// How many bytes of a record are in its first page.
    private static func local(_ size: Int, _ usable: Int) -> Int {
        let (most, least) = (usable - 35, (usable - 12) * 32 / 255 - 23)
        guard size > most else { return size }
        let even = least + (size - least) % (usable - 4)
        return even <= most ? even : least
    }

    /// The size of a value of a type, in bytes; nil for types that no file has.
    private static func size(_ type: UInt64) -> Int? {
        switch type {
        case 0...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 8, 9: 0
        case 12...(1 << 32): Int(type - 12) / 2
        default: nil
        }
    }

    private static func isInteger(_ type: UInt64) -> Bool { 1...6 ~= type || 8...9 ~= type }

    /// The kind of a row by the types of its columns; nil if there is none. The id is not in the record.
    private static func kind(_ types: [UInt64]) -> Kind? {
        func areIntegers(_ columns: ClosedRange<Int>) -> Bool { types[columns].allSatisfy(isInteger) }
        guard types.count > 2, types[0] == 0 else { return nil }
        switch types.count {
        case 3: return areIntegers(1...2) ? .position : nil
        // Files of earlier releases have no checksums.
        default:
            let isChecked = types.count == 4 || types[4] == 0 || isInteger(types[4])
            return areIntegers(1...2) && types[3] >= 12 && isChecked ? .event : nil
        }
    }

    /// The position in the staging file that the row notes; nil for another row, or if it is of no segment.
    func position(in image: DatabaseFile.Image, of file: DatabaseFile) -> StagedPosition? {
        guard kind == .position, 0..<Int64(StagingFile.maxSegments) ~= id, overflow == nil else { return nil }
        return file.withBytes(of: image) { page in
            let columns = columns(of: UnsafeRawBufferPointer(rebasing: page[local]))
            return StagedPosition(
                segment: Int(id), generation: UInt64(bitPattern: integer(1, columns)),
                end: StagedEnd(word: UInt64(bitPattern: integer(2, columns))))
        }
    }

    /// Reads an event and its time; nil for another row, or if it is damaged.
    func event(of image: DatabaseFile.Image, in file: DatabaseFile) -> (StoredEvent, time: Int64)? {
        guard kind == .event else { return nil }
        var record = file.withBytes(of: image) { Array($0[local]) }
        if let overflow, !file.appendOverflow(from: overflow, size - record.count, to: &record) { return nil }
        return record.withUnsafeBytes { record in
            let columns = columns(of: record)
            let (time, isAnonymous) = (integer(1, columns), integer(2, columns) != 0)
            let checksum = types.count > 4 && types[4] != 0 ? integer(4, columns) : nil
            return StoredEvent(id: id, time: time, isAnonymous: isAnonymous, payload: columns[3], checksum: checksum)
                .map { ($0, time) }
        }
    }

    private func columns(of record: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        var offset = headerSize
        return types.map { type in
            let start = offset
            offset += Self.size(type) ?? 0
            return UnsafeRawBufferPointer(rebasing: record[start..<offset])
        }
    }

    private func integer(_ column: Int, _ columns: [UnsafeRawBufferPointer]) -> Int64 {
        switch types[column] {
        case 8: return 0
        case 9: return 1
        default:
            let bytes = columns[column]
            let sign: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
            return bytes.reduce(sign) { $0 << 8 | Int64($1) }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Reads a number of one to nine bytes, as SQLite writes them, and moves behind it; nil if it is cut off.
    fileprivate func variable(_ offset: inout Int) -> UInt64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard offset < count else { return nil }
            let byte = self[offset]
            offset += 1
            if index == 8 { return number << 8 | UInt64(byte) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        return number
    }
}
