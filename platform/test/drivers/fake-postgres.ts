import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** One connection to the server. */
interface Conversation {
	readonly socket: Socket;
	/** From 1. */
	readonly nth: number;
	/** Sends rows of one text column, and the end of the statement. */
	respond(...rows: string[]): void;
	/** Sends a part of a response, and the end of the connection. */
	breakOff(...part: Buffer[]): void;
}

interface FakePostgres {
	readonly port: number;
	readonly conversations: readonly Conversation[];
	readonly statements: readonly string[];
}

export const columns = message(
	...["T", int16(1), text("value"), int32(0), int16(0)],
	...[int32(25), int16(-1), int32(-1), int16(0)],
);
export const row = (value: string) =>
	message("D", int16(1), int32(value.length), Buffer.from(value));
export const failed = message(
	...["E", text("SFATAL"), text("C57P01"), text("Mterminated"), text("")],
);
const readOnly = message(
	...["E", text("SERROR"), text("C25006"), text("Mread-only"), text("")],
);
export const ready = message("Z", Buffer.from("I"));
export const refusesWrites = Buffer.concat([readOnly, ready]);
const welcome = [message("R", int32(0)), message("K", int32(1), int32(2))];

/** A server of the wire protocol that does with each statement what the test says; it ends with the test. */
export async function startFakePostgres(
	onStatement: (statement: string, to: Conversation) => void,
): Promise<FakePostgres> {
	const conversations: Conversation[] = [];
	const statements: string[] = [];
	const server = createServer((socket) => {
		const conversation = converse(socket, conversations.length + 1);
		conversations.push(conversation);
		socket.on("error", () => undefined);
		onMessages(socket, (type, body) => {
			if (type === "") socket.write(Buffer.concat([...welcome, ready]));
			// The statement of a Parse follows its name.
			const texts = body.toString().split("\0");
			const statement = type === "Q" ? texts[0] : texts[1];
			if (!["P", "Q"].includes(type) || statement === undefined) return;
			statements.push(statement.trim());
			onStatement(statement.trim(), conversation);
		});
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => {
		for (const { socket } of conversations) socket.destroy();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { port, conversations, statements };
}

function converse(socket: Socket, nth: number): Conversation {
	const head = [message("1"), columns, message("2")];
	const done = message("C", text("SELECT 1"));
	return {
		socket,
		nth,
		respond: (...rows) =>
			socket.write(Buffer.concat([...head, ...rows.map(row), done, ready])),
		breakOff: (...part) => socket.end(Buffer.concat(part)),
	};
}

/** Calls back for each message of the client; the first one, without a type, begins the session. */
function onMessages(
	socket: Socket,
	onMessage: (type: string, body: Buffer) => void,
): void {
	let typeBytes = 0;
	let bytes = Buffer.alloc(0);
	socket.on("data", (more: Buffer) => {
		bytes = Buffer.concat([bytes, more]);
		while (bytes.length >= typeBytes + 4) {
			const end = typeBytes + bytes.readInt32BE(typeBytes);
			if (bytes.length < end) return;
			const type = bytes.toString("latin1", 0, typeBytes);
			const body = bytes.subarray(typeBytes + 4, end);
			bytes = bytes.subarray(end);
			typeBytes = 1;
			onMessage(type, body);
		}
	});
}

function message(type: string, ...parts: Buffer[]): Buffer {
	const body = Buffer.concat(parts);
	return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int16(value: number): Buffer {
	const bytes = Buffer.alloc(2);
	bytes.writeInt16BE(value);
	return bytes;
}

function int32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeInt32BE(value);
	return bytes;
}

function text(value: string): Buffer {
	return Buffer.from(`${value}\0`);
}
