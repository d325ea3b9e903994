package import TrackerFeatures

extension Experiment {
    /// The members of the experiment that most experiments do not have.
    package var exceptions: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !isEnabled { members.append(("enabled", false)) }
        if !isUsable { members.append(("usable", false)) }
        if ranges != Bucketing.ranges(weights: variants.map(\.weight), coverage: coverage) {
            members.append(("ranges", .array(ranges.map(\.json))))
        }
        if let fallbackUnit { members.append(("fallbackUnit", .string(fallbackUnit))) }
        if bucketVersion != 0 { members.append(("bucketVersion", .int(bucketVersion))) }
        if minBucketVersion != 0 { members.append(("minBucketVersion", .int(minBucketVersion))) }
        if let forcedVariant { members.append(("force", .string(forcedVariant))) }
        return members
    }
}
