import ArgumentParser
import MachineExamination

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `wireweight proxy trust` and `untrust`: the authority whose certificates devices see when TLS is opened.
///
/// The proxy's own program does it, as it has the authority.
struct AuthorityCommand {
    private let action: String

    /// Nil if the words are no such command, but a program's.
    init?(_ words: [String]) {
        switch words {
        case ["trust"]: action = "show"
        case ["trust", "--install"]: action = "install"
        case ["untrust"]: action = "remove"
        default: return nil
        }
    }

    func run() throws {
        let path: String
        do throws(RunFailure) { path = try InstalledFile.find("wireweight-proxy", target: "proxy") } catch {
            Terminal.complain(error.message)
            throw ExitCode(error.status)
        }
        let words = [path, "--authority", action]
        execv(path, words.map { strdup($0) } + [nil])
        Terminal.complain("'\(path)' does not start: \(String(cString: strerror(errno)))")
        throw ExitCode(71)
    }
}
