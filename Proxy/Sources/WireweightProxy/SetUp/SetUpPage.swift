import ProxyTLS
import ProxyWire
import QRCodes

/// The page that leads through setting a device up.
struct SetUpPage {
    /// The address that the page was requested at.
    let proxy: Authority
    /// Where other devices find the page, if it was requested on this computer.
    let other: Authority?
    let authority: CertificateAuthority?

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Wireweight's proxy</title>
        <style>
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 1.5rem auto; padding: 0 1rem; color-scheme: light dark }
        h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem } code { overflow-wrap: anywhere }
        .code { width: 12rem; display: block } summary { cursor: pointer } .get { display: inline-block; padding: .5rem 0 }
        </style>
        <h1>Wireweight's proxy</h1>
        \(code)
        <p>The steps on this page are from the systems' documentation; they have not been tried on a device.</p>
        <h2>1. Send the device's traffic through the proxy</h2>
        <p>Server <code>\(proxy.host)</code>, port <code>\(proxy.port)</code>; or automatic, by \
        <code>http://\(proxy)\(OwnFile.autoConfig.rawValue)</code></p>
        <details><summary>iPhone, iPad</summary><p>Settings, Wi-Fi, the (i) of the network, Configure Proxy: Automatic, \
        with the address of the file.</p></details>
        <details><summary>Android</summary><p>Settings, Network, the network, Modify, Advanced, Proxy: Proxy \
        auto-config, with the address of the file.</p></details>
        <details><summary>iOS simulator</summary><p>It uses the Mac's settings: System Settings, Network, Details, \
        Proxies.</p></details>
        <details><summary>Android emulator</summary><p><code>emulator -http-proxy http://\(proxy)</code></p></details>
        \(trust)
        <h2>When you are done</h2>
        <p>Take the proxy out of the network's settings\(authority == nil ? "" : ", and remove the certificate").</p>
        </html>

        """
    }

    private var code: String {
        guard let other else { return "" }
        let address = "http://\(other)/"
        return "<p>On a device of the same network, open <code>\(address)</code>, or let its camera read:</p>"
            + (QRCode(address)?.svg(label: address) ?? "")
    }

    private var trust: String {
        guard let authority else {
            return """
                <h2>2. No certificate is needed</h2>
                <p>TLS stays closed: of <code>https://</code> the connections are weighed. To see each request, start the \
                proxy with <code>--open-tls</code> and come back.</p>
                """
        }
        return """
            <h2>2. Trust this computer's authority</h2>
            <p>Who holds its key can read the device's traffic. Trust it on devices of yours only. SHA-256: \
            <code>\(authority.fingerprint)</code></p>
            <p><a class="get" href="\(OwnFile.profile.rawValue)">Profile for iPhone and iPad</a> ·
            <a class="get" href="\(OwnFile.certificate.rawValue)">Certificate for all others</a></p>
            <details><summary>iPhone, iPad</summary><p>Get the profile in Safari. Settings, Profile Downloaded, Install. \
            Then Settings, General, About, Certificate Trust Settings: switch Wireweight on.</p></details>
            <details><summary>Android</summary><p>Get the certificate. Settings, Security, Install a certificate, CA \
            certificate. An app sees it only if its network security configuration allows the user's \
            certificates.</p></details>
            <details><summary>iOS simulator</summary>
            <p><code>xcrun simctl keychain booted add-root-cert wireweight.crt</code></p></details>
            <details><summary>Android emulator</summary><p>As Android; drag the file onto the emulator.</p></details>
            """
    }
}
