/// The names of the numbers of DNS, and of the codes with which lookups fail.
package enum DNSNames {
    /// The name of a type of records (the registry of IANA that RFC 6895 describes).
    package static func type(_ number: UInt16) -> String {
        switch number {
        case 1: "A"
        case 2: "NS"
        case 5: "CNAME"
        case 6: "SOA"
        case 12: "PTR"
        case 15: "MX"
        case 16: "TXT"
        case 28: "AAAA"
        case 33: "SRV"
        case 35: "NAPTR"
        case 43: "DS"
        case 48: "DNSKEY"
        case 52: "TLSA"
        case 64: "SVCB"
        case 65: "HTTPS"
        case 255: "ANY"
        case 257: "CAA"
        // RFC 3597, section 5
        default: "TYPE\(number)"
        }
    }

    /// The name of an RCODE (RFC 6895, section 2.3).
    package static func code(_ number: UInt8) -> String {
        switch number {
        case 0: "NOERROR"
        case 1: "FORMERR"
        case 2: "SERVFAIL"
        case 3: "NXDOMAIN"
        case 4: "NOTIMP"
        case 5: "REFUSED"
        default: "RCODE\(number)"
        }
    }

    /// The name of what getaddrinfo returns, in glibc.
    package static func addressError(_ number: Int32) -> String {
        switch number {
        case -1: "EAI_BADFLAGS"
        case -2: "EAI_NONAME"
        case -3: "EAI_AGAIN"
        case -4: "EAI_FAIL"
        case -5: "EAI_NODATA"
        case -6: "EAI_FAMILY"
        case -7: "EAI_SOCKTYPE"
        case -8: "EAI_SERVICE"
        case -9: "EAI_ADDRFAMILY"
        case -10: "EAI_MEMORY"
        case -11: "EAI_SYSTEM"
        case -12: "EAI_OVERFLOW"
        default: "EAI \(number)"
        }
    }

    /// The name of an h_errno, in glibc.
    package static func hostError(_ number: Int32) -> String {
        switch number {
        case -1: "NETDB_INTERNAL"
        case 1: "HOST_NOT_FOUND"
        case 2: "TRY_AGAIN"
        case 3: "NO_RECOVERY"
        case 4: "NO_DATA"
        default: "h_errno \(number)"
        }
    }

    /// The name of an errno with which a datagram or a connection fails, in Linux.
    package static func socketError(_ number: Int32) -> String {
        switch number {
        case 32: "EPIPE"
        case 101: "ENETUNREACH"
        case 103: "ECONNABORTED"
        case 104: "ECONNRESET"
        case 110: "ETIMEDOUT"
        case 111: "ECONNREFUSED"
        case 113: "EHOSTUNREACH"
        default: "errno \(number)"
        }
    }
}
