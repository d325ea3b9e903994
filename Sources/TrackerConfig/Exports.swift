// A service needs one import only, because the document configures trackers and features.
@_exported public import TrackerCore
@_exported public import TrackerFeatures
