// Apple's systems have Synchronization since iOS 18 and macOS 15. Before, the part of it that we use is our own.
#if canImport(Darwin)
    @_exported public import PortableLocks
#else
    @_exported public import Synchronization
#endif
