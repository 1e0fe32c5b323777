import Requests

// A program that knows nothing of a meter, for stacks.py: Client BASE PATH…

let requests = Requests(base: CommandLine.arguments[1])
await requests.make(CommandLine.arguments.dropFirst(2))
