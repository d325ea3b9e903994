import Foundation

@testable import TrackerCore

/// The rows of a damaged database whose checksums hold, found by a walk over its pages that shares no code with the SDK's.
struct StoredRows {
    /// The payloads, by their ids.
    private(set) var payloads: [Int64: [UInt8]] = [:]
    private let file: [UInt8]
    private static let size = StoreFiles.pageSize

    init(_ data: Data) {
        // The last page may have been cut off.
        file = Array(data) + [UInt8](repeating: 0, count: (Self.size - data.count % Self.size) % Self.size)
        for page in stride(from: 0, to: file.count, by: Self.size) {
            let start = page == 0 ? 100 : page
            guard byte(start) == 13 else { continue }
            for cell in 0..<number(start + 3, 2) where start + 8 + 2 * cell + 2 <= page + Self.size {
                read(page + number(start + 8 + 2 * cell, 2), page + Self.size)
            }
        }
    }

    private func byte(_ offset: Int) -> Int { offset < file.count ? Int(file[offset]) : 0 }

    private func number(_ offset: Int, _ count: Int) -> Int {
        (offset..<offset + count).reduce(0) { $0 << 8 | byte($1) }
    }

    /// A number of SQLite's own form; nil if it is longer than any that the store writes.
    private func variable(_ offset: inout Int) -> Int? {
        var value = 0
        for _ in 0..<8 {
            let byte = byte(offset)
            offset += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80 { return value }
        }
        return nil
    }

    private mutating func read(_ start: Int, _ end: Int) {
        var place = start
        guard let size = variable(&place), let id = variable(&place), size < file.count, place < end else { return }
        guard let record = record(place, size, end) else { return }
        var (columns, offset) = ([Int](), 0)
        // The header of an event's row has one byte for each short column, and at most nine for the payload.
        guard let length = record.first.map(Int.init), 5...20 ~= length, length <= record.count else { return }
        offset = 1
        while offset < length {
            var value = 0
            repeat {
                value = value << 7 | Int(record[offset] & 0x7F)
                offset += 1
            } while offset < length && record[offset - 1] >= 0x80
            columns.append(value)
        }
        guard columns.count == 5, columns[0] == 0, columns[3] >= 12 else { return }
        let widths = [0, 1, 2, 3, 4, 6, 8, nil, 0, 0]
        func width(_ type: Int) -> Int? { widths.indices.contains(type) ? widths[type] : nil }
        guard let time = width(columns[1]), let anonymous = width(columns[2]), let checksum = width(columns[4]) else {
            return
        }
        let payload = (columns[3] - 12) / 2
        guard length + time + anonymous + payload + checksum == record.count else { return }
        func value(_ type: Int, _ start: Int, _ width: Int) -> Int64 {
            if type == 9 { return 1 }
            let bytes = record[start..<start + width]
            return bytes.reduce((bytes.first ?? 0) >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
        }
        let first = length + time + anonymous
        let bytes = Array(record[first..<first + payload])
        let own = bytes.withUnsafeBytes {
            RowChecksum.of(
                id: Int64(id), time: value(columns[1], length, time),
                isAnonymous: value(columns[2], length + time, anonymous) != 0, payload: $0)
        }
        if own == value(columns[4], first + payload, checksum) { payloads[Int64(id)] = bytes }
    }

    /// The bytes of a record, with those on further pages.
    private func record(_ start: Int, _ size: Int, _ end: Int) -> [UInt8]? {
        let (usable, least) = (Self.size, (Self.size - 12) * 32 / 255 - 23)
        var local = size
        if size > usable - 35 {
            let even = least + (size - least) % (usable - 4)
            local = even <= usable - 35 ? even : least
        }
        guard start + local <= end else { return nil }
        var bytes = Array(file[start..<start + local])
        var next = local < size ? number(start + local, 4) : 0
        while bytes.count < size {
            let page = (next - 1) * Self.size
            guard next > 0, page < file.count, bytes.count <= file.count else { return nil }
            let count = min(size - bytes.count, usable - 4)
            bytes += file[page + 4..<page + 4 + count]
            next = number(page, 4)
        }
        return bytes
    }
}
