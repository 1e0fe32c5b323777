// The same answers over HTTP/1 in the clear and over TLS, and over HTTP/2: application.js FOLDER HTTP HTTPS H2 H2C
const fs = require("fs"), http = require("http"), https = require("https"), http2 = require("http2");
const [folder, ...ports] = process.argv.slice(2);
const tls = { key: fs.readFileSync(`${folder}/key.pem`), cert: fs.readFileSync(`${folder}/certificate.pem`) };
const large = Buffer.alloc(300000, "0123456789");

function answer(request, response) {
    const body = [];
    request.on("data", (piece) => body.push(piece));
    request.on("end", () => {
        const path = request.url;
        if (path === "/none") return response.writeHead(204).end();
        if (path === "/missing") return response.writeHead(404, { "Content-Length": 8 }).end("missing\n");
        if (path === "/chunked") {
            response.writeHead(200, request.httpVersion === "1.1" ? { Trailer: "X-Sum" } : {});
            for (const piece of ["a", "b".repeat(300), "c".repeat(70000)]) response.write(piece);
            response.addTrailers({ "X-Sum": "1" });
            return response.end();
        }
        if (path === "/echo") return response.writeHead(200).end(Buffer.concat(body));
        if (path === "/large") return response.writeHead(200, { "Content-Length": large.length }).end(large);
        response.writeHead(200, { "Content-Type": "text/plain", "Set-Cookie": "a=b", "Content-Length": 3 }).end("ok\n");
    });
}

const servers = [
    http.createServer(answer), https.createServer(tls, answer), http2.createSecureServer(tls, answer),
    http2.createServer(answer),
];
servers.forEach((server, index) => server.listen(Number(ports[index]), "127.0.0.1"));
process.on("SIGINT", () => process.exit(0));
