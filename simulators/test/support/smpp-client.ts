import { once } from "node:events";
import {
	type Command,
	connect,
	type Fields,
	type ReceivedPdu,
	type Session,
} from "smpp";
import { onTestFinished } from "vitest";
import type { Smsc } from "../../src/smsc/smsc.ts";

/** A client that takes every receipt. */
interface SmppClient {
	readonly session: Session;
	/** Ids of the messages that receipts came for. */
	readonly receipts: readonly string[];
	/** Sends a request; resolves with its response. */
	request(command: Command, fields?: Fields): Promise<ReceivedPdu>;
	/** Submits a message to an ordinary number, unless told otherwise. */
	submit(fields?: Fields): Promise<ReceivedPdu>;
}

const SUBMIT: Fields = {
	source_addr: "Airtower",
	source_addr_ton: 5,
	destination_addr: "33612349999",
	registered_delivery: 1,
	short_message: Buffer.from("Hello"),
};

export async function connectTo(smsc: Smsc): Promise<SmppClient> {
	const session = connect({ host: "127.0.0.1", port: smsc.port });
	session.on("error", () => session.socket.destroy());
	onTestFinished(() => void session.socket.destroy());
	await once(session, "connect");
	const receipts: string[] = [];
	session.on("deliver_sm", (pdu: ReceivedPdu) => {
		receipts.push(String(pdu.receipted_message_id));
		session.send(pdu.response());
	});
	const request = (command: Command, fields: Fields = {}) =>
		new Promise<ReceivedPdu>((resolve) => {
			session[command]({ ...fields }, resolve);
		});
	const submit = (fields: Fields = {}) =>
		request("submit_sm", { ...SUBMIT, ...fields });
	return { session, receipts, request, submit };
}

/** A client that is bound. The password is the name of the account. */
export async function bindTo(
	smsc: Smsc,
	account = "airtower",
	command: Command = "bind_transceiver",
): Promise<SmppClient> {
	const client = await connectTo(smsc);
	const fields = { system_id: account, password: account };
	const { command_status } = await client.request(command, fields);
	if (command_status !== 0) throw new Error(`bind failed: ${command_status}`);
	return client;
}
