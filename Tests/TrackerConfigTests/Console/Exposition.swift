/// Metrics as a scraper reads them.
struct Exposition {
    /// The values, by the name with its labels as it is written.
    private(set) var values: [String: Double] = [:]
    /// The types, by the name that they stand with.
    private(set) var types: [String: String] = [:]
    /// What a scraper or a linter complains of.
    private(set) var faults: [String] = []

    init(_ text: String) {
        var helped: Set<String> = []
        if !text.hasSuffix("\n") { faults.append("the last line has no end") }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                if !helped.insert(words[2]).inserted { faults.append("\(words[2]) is described twice") }
            } else if line.hasPrefix("# TYPE ") {
                if !helped.contains(words[2]) { faults.append("\(words[2]) has no description") }
                types[words[2]] = words[3]
            } else if let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) {
                let series = String(line[..<space])
                if values.updateValue(value, forKey: series) != nil { faults.append("\(series) is there twice") }
                if family(of: series) == nil { faults.append("\(series) has no type") }
            } else {
                faults.append("cannot be read: \(line)")
            }
        }
    }

    /// The value of a series; nil if there is none.
    subscript(_ series: String) -> Double? { values["trackerconfig_\(series)"] }

    /// The number of series whose text begins so.
    func count(_ prefix: String) -> Int { values.keys.count { $0.hasPrefix("trackerconfig_\(prefix)") } }

    /// The name with which a series is described.
    private func family(of series: String) -> String? {
        let name = String(series.prefix { $0 != "{" })
        let suffixes = ["", "_bucket", "_sum", "_count"].filter { name.hasSuffix($0) }
        return suffixes.map { String(name.dropLast($0.count)) }.first { types[$0] != nil }
    }
}
