// One import is enough for a service: its trackers are part of what the remote file configures.
@_exported public import TrackerCore
