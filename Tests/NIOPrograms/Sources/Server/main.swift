import Answers

// A server that knows nothing of a meter, for servers.py: Server FOLDER CLEAR SECURE, of which two are ports.

let words = CommandLine.arguments
try await Answers(folder: words[1], clear: Int(words[2])!, secure: Int(words[3])!).serve()
