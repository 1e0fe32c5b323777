// The origin is a room of its own, for whoever proves a meter outside of tests, too.
@_exported public import TrafficOrigin
