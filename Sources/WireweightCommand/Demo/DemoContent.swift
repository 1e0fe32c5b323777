import Foundation

/// The texts of the demo's API, compressed beforehand with gzip, so that the API needs no encoder.
enum DemoContent {
    /// A page of 50 users: 2,734 bytes of JSON, compressed to 423.
    static let users = decoded(
        """
        H4sIAAAAAAACA3XWzUoDQRBF4VeRXgdJ3arJ38qXcCUugs4ikKgoghDy7kZc1eFmOc2cVX901Xl8f82fX2P3dB6H17GLxXjbn+axG4/X87sY\
        i3HaH47X77//4mH+2Z8+jvP9y/tpXBb/jXqj3sg22ZvsTdqmelO9KdtMvZl6M9lm1ZtVb1a2Wfdm3Zu1bTa92fRmY5ttb7a92domlrjUJW51\
        6TNaIAavIcAh4CE8iICIAInwJgIoAirCswi4CMAILyNAI2AjPI6AjgCP8D4CQAJCwhMJGAkgCa9EUCIokVciKBGU6MabwUeDr4ZXIigRlMgr\
        EZQISuSVCEoEJfJKBCWCEnklghJBibwSQYmgRF6JoERQIq8koSShJL2ShJKEkvRKEkoSSvLGcOF04XjxShJKEkrSK0koSShJryShJKEkvZKE\
        koSS9EoSShJK0itJKEkoSa+koKSgpLySgpKCkvJKCkoKSsorKSgpKKkbWwjXEO4hXklBSUFJeSUFJQUl5ZUUlBSUlFdSUFJQUl5JQUlBSXkl\
        E5RMUDJByfPlFwnmMieuCgAA
        """)

    /// An article: 2,421 bytes of text, compressed to 175.
    static let article = decoded(
        """
        H4sIAAAAAAACA63V2w2DMBAF0VZuAVGUXfL8pBRAG0ACO7KN0n5SxDQwf0fTq0ZqkaZQfmtIGkpbpy3UlqFprdpymhUpH/OiljWGvrm0RVPe\
        PyVqXdN8Ujr2MYrsrJ7sOdzr4N4V7t3g3h3uPeDeE+694J5d6CAtxGgiRhsxGonRSoxmYrQTo6EYLcVpKY6/hJbitBSnpTgtxWkpTktxWorT\
        UrovmR+1a8gJdQkAAA==
        """)

    private static func decoded(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
