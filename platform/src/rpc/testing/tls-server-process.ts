import { readRpcTls } from "../tls.ts";
import { startTestServer } from "./server.ts";
import { tlsFiles } from "./tls-files.ts";

/** `node tls-server-process.ts <host> <port> <folder> <ms>`: mutual TLS from the folder's files, looked at so often. */
const [host = "", port, folder = "", renewEveryMs] = process.argv.slice(2);
await startTestServer({
	host,
	port: Number(port),
	tls: readRpcTls(tlsFiles(folder), { renewEveryMs: Number(renewEveryMs) }),
});
process.send?.("ready");
