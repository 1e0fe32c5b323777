// The origin is a room of its own, because code that proves a meter outside of tests uses it, too.
@_exported public import TrafficOrigin
