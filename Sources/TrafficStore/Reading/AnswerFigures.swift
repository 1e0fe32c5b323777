import GRDB
internal import TrafficModel

/// What sums need of the table `answer`, each row read once.
final class AnswerFigures {
    struct Answer {
        /// 0 if there is no such row.
        var status = 0
        var isCoded = false
        var isAnswer = false

        /// No such row.
        init() {}

        /// The answer of a response.
        init(_ response: borrowing ResponseRecord) {
            status = response.status
            isCoded = !response.contentEncoding.isEmpty
            isAnswer = response.isAnswer
        }
    }

    private var known = NumberedCache<Answer>()
    private let find: PreparedStatement

    /// The answers of that store.
    init(_ database: Database) throws {
        find = try PreparedStatement(
            database, "SELECT status, coding <> '', version = '0.9' FROM answer WHERE id = ?")
    }

    /// The answer of that row.
    func answer(_ id: Int64) throws -> Answer {
        if let known = known[id] { return known }
        find.bind(1, id)
        defer { find.reset() }
        var answer = Answer()
        if try find.step() {
            answer.status = Int(clamping: find.int(0))
            answer.isCoded = find.int(1) != 0
            answer.isAnswer = answer.status > 0 || find.int(2) != 0
        }
        known[id] = answer
        return answer
    }
}
