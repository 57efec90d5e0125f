import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** `node http-flood.ts <flood> <base URL> [API key]`: attacks a gateway from 127.0.0.9 until it is killed. */
const AGAIN_AFTER_MS = 250;
const ATTACKER = "127.0.0.9";
const BAD_BODIES_PER_S = 250;
const BAD_BODY_BYTES = 60_000;
/** Without a bound, a machine too slow for the flood would be asked for ever more. */
const MAX_BAD_BODIES_UNDER_WAY = 250;

const [name = "", baseUrl = "", apiKey = ""] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(baseUrl);

const floods: Readonly<Record<string, () => void>> = {
	"400 x 300 documents": () =>
		keepUp(400, () => pipeline("/openapi.json", 300)),
	"100 x 300 documents": () =>
		keepUp(100, () => pipeline("/openapi.json", 300)),
	"30 x 1200 documents": () =>
		keepUp(30, () => pipeline("/openapi.json", 1_200)),
	"400 x 300 greetings": () => keepUp(400, () => pipeline("", 300)),
	"slow heads": () => keepUp(400, () => drip("GET /")),
	"slow bodies": () =>
		keepUp(400, () =>
			drip("POST /x HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n"),
		),
	"bad bodies of one organization": sendBadBodies,
};

/** So many at a time; each begins again soon after it has ended. */
function keepUp(count: number, attack: () => Promise<unknown>): void {
	for (let nth = 0; nth < count; nth++)
		void (async () => {
			for (;;) {
				await attack().catch(() => undefined);
				await delay(AGAIN_AFTER_MS);
			}
		})();
}

function open() {
	const to = { host: hostname, port: Number(port), localAddress: ATTACKER };
	return connect(to).on("error", () => undefined);
}

/** Asks at once and reads nothing. */
async function pipeline(path: string, requests: number): Promise<void> {
	const socket = open();
	const request = `GET ${pathname}${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
	socket.write(request.repeat(requests));
	await once(socket, "close");
}

async function drip(first: string): Promise<void> {
	const socket = open().resume();
	socket.write(first);
	const timer = setInterval(() => socket.write("a"), 1_000);
	await once(socket, "close");
	clearInterval(timer);
}

function sendBadBodies(): void {
	const fields = Object.fromEntries(
		Array.from({ length: BAD_BODY_BYTES / 20 }, (_, nth) => [
			`field${nth}`,
			"wrong",
		]),
	);
	const body = JSON.stringify(fields)
		.slice(0, BAD_BODY_BYTES - 1)
		.replace(/,[^,]*$/, "}");
	let underWay = 0;
	const send = async () => {
		if (underWay >= MAX_BAD_BODIES_UNDER_WAY) return;
		underWay++;
		await fetch(`${baseUrl}/sms/send`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${apiKey}`,
				"content-type": "application/json",
			},
			body,
		})
			.then((response) => response.arrayBuffer())
			.catch(() => undefined);
		underWay--;
	};
	setInterval(send, 1_000 / BAD_BODIES_PER_S);
}

floods[name]?.();
process.send?.("begun");
