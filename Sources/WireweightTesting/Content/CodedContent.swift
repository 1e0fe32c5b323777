import Foundation

/// A text in each of the content codings that clients on libcurl accept.
///
/// The coded forms were made once with the reference encoders, so that no encoder is needed here.
package enum CodedContent: String, CaseIterable, Sendable {
    case gzip
    case deflate
    case brotli = "br"
    case zstandard = "zstd"

    /// The uncoded text: 40 lines of JSON, 2,210 bytes.
    package static let text: [UInt8] = Array(
        (0..<40).map { "{\"id\":\($0),\"name\":\"user \($0)\",\"mail\":\"user\($0)@example.com\"},\n" }
            .joined().utf8)

    /// The text in this coding.
    package var bytes: [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    private var base64: String {
        switch self {
        case .gzip:
            """
            H4sIAAAAAAACA3XVvUpDURRE4d6nkFsHyZ7Jf+WrBL1FIFdFEYTguwtis5dnylOs6nzMvk2X5+m0Xk0v52WeTtPnx/x+v55W\
            03K+XP/e68f567y8XeeHp9dl+l7d3X6j6lH1qMaReqQeaRy5R+6Rx9GmR5sebcbRtkfbHm3H0a5Hux7txtG+R/se7cfRoUeH\
            Hh3G0bFHxx4dw+eCRMFEJRRUQRbBRQFGQUYFGgUbBRwVdBR4FHxUAFIQUiBSwUgBSUFJBSYFJwUoFaQUqBSsVMBS0FLgUsGL\
            4EXwouBF8CJ4UdoRDgmXJHgRvAheFLwIXgQvCl4EL4IXBS+CF8GLghfBi+BFwYvgRfCi4EXwInhR8GJ4Mbw4eDG8GF4cvBhe\
            DC9Op4e3h8cneDG8GF4cvBheDC8OXgwvhhcHL4YXw4uDF8OL4cXBi+HF8OJ/Xn4A2PCrd6IIAAA=
            """
        case .deflate:
            """
            eNp11b1KQ1EUROHep5BbB8meyX/lqwS9RSBXRRGE4LsLYrOXZ8pTrOp8zL5Nl+fptF5NL+dlnk7T58f8fr+eVtNyvlz/3uvH\
            +eu8vF3nh6fXZfpe3d1+o+pR9ajGkXqkHmkcuUfukcfRpkebHm3G0bZH2x5tx9GuR7se7cbRvkf7Hu3H0aFHhx4dxtGxR8ce\
            HcPngkTBRCUUVEEWwUUBRkFGBRoFGwUcFXQUeBR8VABSEFIgUsFIAUlBSQUmBScFKBWkFKgUrFTAUtBS4FLBi+BF8KLgRfAi\
            eFHaEQ4JlyR4EbwIXhS8CF4ELwpeBC+CFwUvghfBi4IXwYvgRcGL4EXwouBF8CJ4UfBieDG8OHgxvBheHLwYXgwvTqeHt4fH\
            J3gxvBheHLwYXgwvDl4ML4YXBy+GF8OLgxfDi+HFwYvhxfDif15+AEJios8=
            """
        case .brotli:
            """
            G6EIWJyFseOlu8QHwX7NlcY2QiVPFrI9kw71Cj4XcivDalJwyJGf7dhWlU4fPa+n++XRTxGaDHg20tmAqjhwyMF3yjTkijq/\
            k576cvfHY171vJly12/gen/6FAAIAMFACAqC4WAECUGjQ2MwYbDYsDhcuAPKA8rNlwhCgSgWSlKRLBcrSolaXVqjKaPVltXp\
            wg2sgbXCEoQCUSyUpCJZLlaUErW6tEZTRqstq9OFG1SDakUlCAWiWChJRbJcrCglanVpjaaMVltWp+MB
            """
        case .zstandard:
            """
            KLUv/WCiBwUGAJKKHRaATQek+8W11UUiC+Yl2U12kAbKALoO+e/u3c3Mu6uqmYmId2dpafn/7t7dzLy7qpqZiHh3hoaG/+/u\
            3c3Mu6uqmYmId3d3/+/u3c3Mu6uqmYmIdwcI1WKcY0iWhzGmpLBFMZglLAugJJIWsRLGaJZgxEKURQV3qBHAt39sBuCl5hEo\
            CME2XiAx5wMzwqD4oeihLBP/OlFeUXpRzwl6HRQvFD2ctgxjSC+kFuLcufPr586dnzvvKrEE1GbdVQ==
            """
        }
    }
}
