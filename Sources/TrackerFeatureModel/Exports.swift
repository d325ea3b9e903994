// JSON values are part of the model.
@_exported public import TrackerJSON
