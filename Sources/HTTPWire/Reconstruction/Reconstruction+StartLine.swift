import TrafficModel

extension Reconstruction {
    /// The size of a request's start line, where that and the shown fields come to the counted size of the whole head.
    ///
    /// - Parameters:
    ///   - shown: the request with all the fields that were sent.
    ///   - count: the bytes of start line, field lines and empty line (RFC 9112, section 2.1) as the system counted them.
    ///   - profile: of the platform that sent it.
    /// - Returns: the size; nil where they do not, and in HTTP/2 and HTTP/3, which have no start line.
    package static func startLine(of shown: ShownRequest, within count: Int64, profile: PlatformProfile) -> Int64? {
        guard !shown.httpVersion.isBinaryHTTP, !shown.httpVersion.isEmpty else { return nil }
        let fields = shown.fields.reduce(Int64(2)) { $0.addingClamped($1.lineSize) }
        // A proxy gets the whole URL.
        return [ShownRequest.TargetForm.origin, .absolute].lazy.compactMap { form in
            var request = shown
            request.targetForm = form
            return lineSize(Self.request(request, profile: profile).size.startLine, and: fields, is: count)
        }.first
    }

    /// The same of a response, whose reason phrase is the one that RFC 9110, section 15, gives its status.
    package static func startLine(of shown: ShownResponse, within count: Int64, profile: PlatformProfile) -> Int64? {
        guard let version = shown.httpVersion, !version.isBinaryHTTP else { return nil }
        let size = Self.response(shown, profile: profile).size
        return lineSize(size.startLine, and: size.fields.bytes.bytes, is: count)
    }

    private static func lineSize(_ line: WireSize.Part, and fields: Int64, is count: Int64) -> Int64? {
        line.evidence != .unknown && line.bytes.bytes.addingClamped(fields) == count ? line.bytes.bytes : nil
    }
}
