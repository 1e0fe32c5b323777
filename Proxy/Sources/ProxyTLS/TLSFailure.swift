import COpenSSL
import CProxyTLS

/// Why a connection of TLS cannot begin or go on.
package struct TLSFailure: Error, CustomStringConvertible, Sendable {
    /// The alert that says so to the other side (RFC 8446, section 6.2).
    package let alert: UInt8
    /// Whether the peer has said it by an alert, and not this side.
    package let isOfPeer: Bool
    package let description: String

    package init(alert: UInt8, isOfPeer: Bool = false, _ description: String) {
        self.alert = alert
        self.isOfPeer = isOfPeer
        self.description = description
    }

    /// The peer has refused our certificate: its authority, or what it says.
    package var isRefusal: Bool { isOfPeer && [42, 43, 44, 45, 46, 48, 113, 116].contains(alert) }

    /// The peer may have ended because it got no certificate: TLS 1.2 has no alert for that alone.
    package var mayWantCertificate: Bool { isRefusal || isOfPeer && [40, 49].contains(alert) }

    /// What OpenSSL says of the last call of this thread.
    static func last() -> TLSFailure {
        let reason = wwp_take_reason()
        let alert = wwp_alert_of_reason(reason)
        if alert >= 0 {
            let name = String(cString: SSL_alert_desc_string_long(alert))
            return TLSFailure(alert: UInt8(truncatingIfNeeded: alert), isOfPeer: true, "its alert was '\(name)'")
        }
        let words = ERR_reason_error_string(UInt(20) << 23 | UInt(reason)).map { String(cString: $0) }
        return TLSFailure(alert: reason == SSL_R_UNSUPPORTED_PROTOCOL ? 70 : 40, words ?? "TLS failed")
    }

    /// The result of a check of certificates as the alert that a client would see for it.
    static func verification(_ code: Int) -> TLSFailure {
        let alert: UInt8 =
            switch Int32(truncatingIfNeeded: code) {
            case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: 45
            case X509_V_ERR_CERT_REVOKED: 44
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: 42
            case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
                48
            default: 42
            }
        return TLSFailure(
            alert: alert, "its certificate was refused: \(String(cString: X509_verify_cert_error_string(code)))")
    }

    /// The alert as a record of its own, for a handshake that has not begun (RFC 8446, section 5.1).
    package var record: [UInt8] { [21, 3, 3, 0, 2, 2, alert] }
}
