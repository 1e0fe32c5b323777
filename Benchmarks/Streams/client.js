// Asks a server COUNT times over one connection, and prints the bytes of all bodies and the processor time that it took, in
// seconds: client.js SCHEME PORT PATH COUNT CERTIFICATE
"use strict";
const [scheme, port, path, count, certificate] = process.argv.slice(2);
const library = require(scheme);
const options = { host: "localhost", port, path };
if (scheme === "https") options.ca = require("fs").readFileSync(certificate);
options.agent = new library.Agent({ ...options, keepAlive: true, maxSockets: 1 });
const began = process.cpuUsage();
let left = Number(count), size = 0;
function ask() {
    if (left-- === 0) {
        const { user, system } = process.cpuUsage(began);
        options.agent.destroy();
        return console.log(size, (user + system) / 1e6);
    }
    library.get(options, (response) => {
        response.on("data", (bytes) => (size += bytes.length));
        response.on("end", ask);
    });
}
ask();
