// One import is enough for a service: trackers and features are what the document configures.
@_exported public import TrackerCore
@_exported public import TrackerFeatures
