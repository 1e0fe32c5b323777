import ArgumentParser

/// `wireweight completions`: prints the script that completes the command's words in a shell.
struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a completion script for bash, zsh or fish.",
        discussion: """
            A package installs the scripts by itself. Otherwise:

            bash: wireweight completions bash > ~/.local/share/bash-completion/completions/wireweight
            zsh:  wireweight completions zsh > "${fpath[1]}/_wireweight"
            fish: wireweight completions fish > ~/.config/fish/completions/wireweight.fish

            Example: wireweight completions zsh
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "The shell.")
    var shell: Shell

    func run() throws {
        let script: String =
            switch shell {
            case .bash: WireweightCommand.completionScript(for: .bash)
            case .zsh: WireweightCommand.completionScript(for: .zsh)
            case .fish: WireweightCommand.completionScript(for: .fish)
            }
        var output = Output()
        try output.write(script + "\n")
        try output.flush()
    }
}
