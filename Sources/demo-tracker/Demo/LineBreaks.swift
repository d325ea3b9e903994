import Foundation

extension String {
    /// Breaks the text, which is on one line, at its spaces.
    /// - Parameter width: The most characters of a line; a longer word is broken too.
    /// - Returns: The lines, at least one.
    func broken(into width: Int) -> [String] {
        var lines: [String] = []
        var rest = Substring(self)
        while let limit = rest.index(rest.startIndex, offsetBy: width, limitedBy: rest.endIndex), limit < rest.endIndex
        {
            // A space just behind the last column is a place to break too.
            if let space = rest[...limit].lastIndex(of: " "), rest[..<space].contains(where: { $0 != " " }) {
                lines.append(String(rest[..<space]).withoutTrailingSpaces)
                rest = rest[space...].drop { $0 == " " }
            } else {
                lines.append(String(rest[..<limit]))
                rest = rest[limit...]
            }
        }
        if !rest.isEmpty || lines.isEmpty { lines.append(String(rest)) }
        return lines
    }

    private var withoutTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}

extension [[String]] {
    /// Rows with their columns, two spaces apart: what stands before the last column, and the last column.
    var columns: [(head: String, last: String)] {
        let widths = reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.dropLast().enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = Swift.max(widths[column], cell.count)
            }
        }
        return map { row in
            let cells = zip(row.dropLast(), widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }
            return (cells.joined(), row.last ?? "")
        }
    }
}
