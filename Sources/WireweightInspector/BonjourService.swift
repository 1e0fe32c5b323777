#if canImport(dnssd)
    internal import Foundation
    internal import Locks
    internal import dnssd

    /// Announces a page to the local network over Bonjour, as a web server, until it is stopped.
    final class BonjourService: Sendable {
        // `@unchecked Sendable`: the reference is used once, to end the service.
        private struct Reference: @unchecked Sendable {
            let service: DNSServiceRef
        }

        private let reference: Mutex<Reference?>

        /// Starts announcing the port under the name of the program; nil if the system refuses.
        ///
        /// The system adds a number to a name that is taken.
        init?(port: UInt16) {
            let name = "Traffic of \(ProcessInfo.processInfo.processName)"
            var service: DNSServiceRef?
            let error = DNSServiceRegister(
                &service, 0, 0, name, "_http._tcp", nil, nil, port.bigEndian, 0, nil, nil, nil)
            guard error == DNSServiceErrorType(kDNSServiceErr_NoError), let service else { return nil }
            reference = Mutex(Reference(service: service))
        }

        func stop() {
            let ended = reference.withLock { reference in
                defer { reference = nil }
                return reference
            }
            if let ended { DNSServiceRefDeallocate(ended.service) }
        }
    }
#endif
