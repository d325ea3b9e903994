// Events, JSON values and the log are part of the API of features.
@_exported public import TrackerCore
@_exported public import TrackerFeatureModel
