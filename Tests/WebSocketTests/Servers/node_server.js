// WebSocket servers of Debian's node-ws for the tests: prints "node=PORT node_tls=PORT …" and runs until it is ended.
//
// usage: node_server.js DIRECTORY   (holds server.pem and server.key)

const fs = require("fs");
const http = require("http");
const https = require("https");
const { WebSocketServer } = require("/usr/share/nodejs/ws");

const directory = process.argv[2];
const tls = {
  cert: fs.readFileSync(`${directory}/server.pem`),
  key: fs.readFileSync(`${directory}/server.key`),
};
const servers = {
  node: [http.createServer(), { threshold: 0 }],
  node_tls: [https.createServer(tls), { threshold: 0 }],
  node_narrow: [
    http.createServer(),
    { threshold: 0, serverMaxWindowBits: 10, clientMaxWindowBits: 8, clientNoContextTakeover: true },
  ],
  node_uncompressed: [http.createServer(), false],
};

async function main() {
  const words = [];
  for (const [name, [server, perMessageDeflate]] of Object.entries(servers)) {
    const sockets = new WebSocketServer({ server, perMessageDeflate, maxPayload: 64 << 20 });
    sockets.on("connection", (socket) => {
      socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
      socket.on("error", () => {});
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    words.push(`${name}=${server.address().port}`);
  }
  console.log(words.join(" "));
}

process.stdin.on("end", () => process.exit(0)).resume();
main();
