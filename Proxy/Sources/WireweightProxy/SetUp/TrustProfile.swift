import ProxyTLS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The authority's certificate as a configuration profile, which an iPhone installs from a page.
///
/// The form is Apple's: https://developer.apple.com/documentation/devicemanagement/certificateroot
enum TrustProfile {
    static func text(_ authority: CertificateAuthority) -> String {
        let certificate = Data(authority.der).base64EncodedString()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
              <key>PayloadContent</key>
              <array>
                <dict>
                  <key>PayloadType</key><string>com.apple.security.root</string>
                  <key>PayloadVersion</key><integer>1</integer>
                  <key>PayloadIdentifier</key><string>wireweight.authority.certificate</string>
                  <key>PayloadUUID</key><string>\(identifier(authority, of: 1))</string>
                  <key>PayloadDisplayName</key><string>Wireweight's authority</string>
                  <key>PayloadCertificateFileName</key><string>wireweight.crt</string>
                  <key>PayloadContent</key><data>\(certificate)</data>
                </dict>
              </array>
              <key>PayloadType</key><string>Configuration</string>
              <key>PayloadVersion</key><integer>1</integer>
              <key>PayloadIdentifier</key><string>wireweight.authority</string>
              <key>PayloadUUID</key><string>\(identifier(authority, of: 0))</string>
              <key>PayloadDisplayName</key><string>Wireweight</string>
              <key>PayloadDescription</key><string>Lets this device trust the certificates of one computer's \
            wireweight proxy, which can then read its traffic. Remove it when you are done.</string>
              <key>PayloadRemovalDisallowed</key><false/>
            </dict>
            </plist>

            """
    }

    /// A UUID of the certificate's own, so that a profile replaces an earlier one of the same authority.
    private static func identifier(_ authority: CertificateAuthority, of part: Int) -> String {
        let digits = Array(authority.fingerprint.filter { $0 != ":" }.dropFirst(32 * part).prefix(32))
        // Version 8 is for values of one's own (RFC 9562, section 5.8).
        return [digits[0..<8], digits[8..<12], ["8"] + digits[13..<16], ["8"] + digits[17..<20], digits[20..<32]]
            .map { String($0) }.joined(separator: "-")
    }
}
