/// The version of this SDK.
public enum TrackerVersion {
    /// What events carry as `tv`.
    public static let current = "swift-srv-0.1.0"
}
