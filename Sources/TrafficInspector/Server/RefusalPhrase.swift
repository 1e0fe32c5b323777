internal import TextFormats

/// Every sentence of a refusal, with `{names}` for values.
///
/// The set is closed, so that the page can have each sentence in its own languages.
enum RefusalPhrase: String, Sendable, CaseIterable {
    case address, ownName, otherOrigin, token, method, readOnlyAddress, header
    case version, transferCoding, contentLength, contentTooLarge, headTooLarge, target, busy
    case wholeNumber, grouping, moment, range, slower, status, direction, sort, format, cursor, expired
    case exchange, body, compare, readOnly, confirm, store, exchanges, marks, marksFull, marksNotKept, installations
    case file, fileUnreadable, fileTooLarge, noFiles, notAFile, piece, device
    case filterKey, filterNearKey, filterHeaderKey
    case filterStatus, filterSize, filterDuration, filterMoment, filterNumber, filterDirection, filterFlag
    case filterWord, filterEmpty, filterEmptyText, filterQuote, filterAfterQuote, filterNothing, filterLong
    case filterRegular

    /// The sentence in English.
    var english: String {
        switch self {
        case .address: "there is nothing at this address"
        case .ownName:
            "this name is not one of the inspector's own; open it by the address that was printed"
        case .otherOrigin: "pages of other origins may not call the inspector"
        case .token: "open the address with the token that was printed at the start"
        case .method: "the inspector supports GET, HEAD and POST"
        case .readOnlyAddress: "this address is read with GET"
        case .header: "a call that changes something needs the header 'X-Wireweight: 1'"
        case .version: "only HTTP/1.1 is supported here"
        case .transferCoding: "a request's content must have a Content-Length"
        case .contentLength: "the Content-Length is not a number"
        case .contentTooLarge: "a request may have at most 64 KiB of content"
        case .headTooLarge: "a request's headers may have at most 32 KiB"
        case .target: "the request target must start with '/'"
        case .busy: "too many pages are open; close some"
        case .wholeNumber: "'{name}' must be a whole number from {least} to {most}"
        case .grouping: "'by' must be one of {groupings}"
        case .moment: "'{name}' must be milliseconds since 1970"
        case .range: "'since' must be before 'until'"
        case .slower: "'slower' must be milliseconds"
        case .status: "'status' must be like 404, 4xx, 400-499 or none"
        case .direction: "'direction' must be called or served"
        case .sort: "'sort' must be one of {columns}, with '-' before it for the largest first"
        case .format: "'format' must be har, csv or ndjson"
        case .cursor: "'cursor' must be one from an earlier response"
        case .expired: "the list of this cursor is gone; request it again"
        case .exchange: "there is no exchange {number} here, or not any more"
        case .body: "no body was kept; '--keep-bodies' or 'configuration.bodies' keeps them"
        case .compare: "choose a file or two ranges to compare; '--compare FILE' names one at the start"
        case .file: "there is no such file here, or not any more"
        case .notAFile: "what is shown is no file that could be copied"
        case .fileUnreadable: "'{name}' cannot be opened: {reason}"
        case .fileTooLarge: "a file may have 1 byte to 4 GiB"
        case .noFiles: "this page shows one file alone; 'wireweight inspect' opens others, too"
        case .piece: "the pieces of a file must follow each other, and be no more than the size that was named"
        case .device: "no such device asks to use the proxy; 'admit' must be one of 'asking'"
        case .readOnly: "this page shows a file that it does not write; open the page of the program that does"
        case .confirm: #"clearing deletes everything; send {"confirm":true}"#
        case .store: "the store failed: {reason}"
        case .exchanges: "'exchanges' must be at most 1000 numbers, separated by commas"
        case .marks:
            #"send {"exchanges":[17],"marked":true,"note":"…"}: at most 1000 numbers, and a note of at most 2000 characters"#
        case .marksFull: "at most {most} exchanges can be marked; remove some marks"
        case .installations:
            "the address selects {count} installations, and only one has a list; add one of them to it, such as '{one}'"
        case .marksNotKept: "the marks cannot be written to '{file}': {reason}"
        default:
            // The mistakes in a filter.
            FilterMistake.Reason.allCases.first { RefusalPhrase($0) == self }
                .map { "at character {place}: \($0.english)" } ?? rawValue
        }
    }

    /// The sentence of a mistake in a filter.
    init(_ reason: FilterMistake.Reason) {
        self = RefusalPhrase(rawValue: "filter" + reason.rawValue.prefix(1).uppercased() + reason.rawValue.dropFirst())!
    }
}
