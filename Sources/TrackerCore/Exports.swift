// JSON values and the errors of configurations are part of the API of trackers.
@_exported public import TrackerJSON
