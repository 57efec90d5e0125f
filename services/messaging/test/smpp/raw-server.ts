import { createServer, type Socket } from "node:net";
import { silentLog } from "@airtower/platform/testing/log";
import { onTestFinished } from "vitest";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import type { Operator } from "../../src/operators/operator.ts";
import { parseSmppRoute } from "../../src/operators/route/smpp-route.ts";
import type { SmppLimits } from "../../src/operators/session/smpp-limits.ts";
import { FrameReader } from "../../src/operators/session/smpp-pdu.ts";
import { createSmppOperator } from "../../src/operators/smpp-operator.ts";
import { holdAll } from "./route.ts";

interface RawServerOptions {
	/** Options of the route URL. */
	readonly query?: string;
	readonly limits?: Partial<SmppLimits>;
}

/** A route to a server that speaks in octets of its own, both stopped after the test. */
interface RawServer {
	readonly operator: Operator;
	/** Receipts in order of arrival. */
	readonly receipts: Receipt[];
	connections(): number;
}

/** Starts a server that does with every connection as it is told, and a route to it. */
export async function startRawServer(
	serve: (socket: Socket) => void,
	{ query = "", limits }: RawServerOptions = {},
): Promise<RawServer> {
	let connections = 0;
	const server = createServer((socket) => {
		connections++;
		socket.on("error", () => socket.destroy());
		serve(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const address = server.address();
	const port = typeof address === "object" ? (address?.port ?? 0) : 0;
	const url = `smpp://airtower:airtower@127.0.0.1:${port}?${query}`;
	const operator = createSmppOperator(parseSmppRoute(url), silentLog, {
		reconnectMinMs: 20,
		reconnectMaxMs: 50,
		unbindTimeoutMs: 50,
		...limits,
	});
	onTestFinished(() => operator.close());
	const receipts: Receipt[] = [];
	operator.start({
		onReceipt: async (receipt) => void receipts.push(receipt),
		onMessage: async () => {},
	});
	holdAll(operator);
	return { operator, receipts, connections: () => connections };
}

/** Command ids, SMPP 3.4, 5.1.2.1; that of a response has the highest bit set. */
export const BIND_TRANSCEIVER = 0x09;
export const SUBMIT = 0x04;
export const DELIVER = 0x05;
export const ENQUIRE_LINK = 0x15;
export const GENERIC_NACK = 0x80000000;
export const responseTo = (id: number) => 0x80000000 + id;

/** A PDU by hand: command id, status, sequence, body. */
export function pdu(
	id: number,
	status: number,
	sequence: number,
	body: Buffer | string = "",
): Buffer {
	const octets = Buffer.isBuffer(body) ? body : Buffer.from(body, "latin1");
	const header = Buffer.alloc(16);
	header.writeUInt32BE(16 + octets.length, 0);
	header.writeUInt32BE(id, 4);
	header.writeUInt32BE(status, 8);
	header.writeUInt32BE(sequence, 12);
	return Buffer.concat([header, octets]);
}

/** A PDU of the client. */
export interface Incoming {
	readonly id: number;
	readonly status: number;
	readonly sequence: number;
	readonly socket: Socket;
}

/** Binds any client, then hands over what it sends. */
export function bindThen(take: (incoming: Incoming) => void) {
	return (socket: Socket) => {
		const frames = new FrameReader();
		socket.on("data", (chunk: Buffer) => {
			for (const frame of frames.push(chunk)) {
				const id = frame.readUInt32BE(4);
				const status = frame.readUInt32BE(8);
				const sequence = frame.readUInt32BE(12);
				if (id !== BIND_TRANSCEIVER) take({ id, status, sequence, socket });
				else socket.write(pdu(responseTo(id), 0, sequence, "x\0"));
			}
		});
	};
}

/** Binds any client, then responds to all that it sends with the PDUs of `response`. */
export function operatorOf(response: (sequence: number) => Buffer) {
	return bindThen(({ sequence, socket }) => socket.write(response(sequence)));
}
