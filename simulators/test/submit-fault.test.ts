import type { Fields } from "smpp";
import { expect, onTestFinished, test } from "vitest";
import { startSmsc } from "../src/smsc/smsc.ts";
import { bindTo } from "./support/smpp-client.ts";

async function boundClient() {
	const smsc = await startSmsc();
	onTestFinished(() => smsc.close());
	return { smsc, ...(await bindTo(smsc, "airtower", "bind_transmitter")) };
}

test.each<[string, Fields, number]>([
	["a recipient with a plus", { destination_addr: "+33612349999" }, 0x0b],
	["a recipient with letters", { destination_addr: "Airtower" }, 0x0b],
	["no recipient", { destination_addr: "" }, 0x0b],
	["a name as a number", { source_addr: "Airtower" }, 0x0a],
	[
		"a name of 12 characters",
		{ source_addr: "AirtowerTeam", source_addr_ton: 5 },
		0x0a,
	],
	["255 octets", { short_message: Buffer.alloc(255, "a") }, 0x01],
	["text in two places", { message_payload: Buffer.from("Hello") }, 0xc1],
	["a validity in seconds", { validity_period: "3600" }, 0x62],
	["a 13th month", { validity_period: "261301000000000+" }, 0x62],
	["25 hours", { validity_period: "000000250000000R" }, 0x62],
	[
		"a relative time with a zone",
		{ validity_period: "000001000000004R" },
		0x62,
	],
])("%s is refused", async (_what, fields, status) => {
	const { smsc, submit } = await boundClient();
	expect(
		await submit({ source_addr_ton: 0, source_addr: "", ...fields }),
	).toMatchObject({ command: "submit_sm_resp", command_status: status });
	expect(smsc.log.entries).toMatchObject([{ status, id: "" }]);
	expect(smsc.stats).toMatchObject({ taken: 0, refused: 1 });
});

test.each<[string, Fields]>([
	["no validity", {}],
	["a short code as its sender", { source_addr: "38000" }],
	["a name as its sender", { source_addr: "Airtower Co", source_addr_ton: 5 }],
	["a relative time", { validity_period: "000007235959000R" }],
	["an absolute time", { validity_period: "261231235959948-" }],
	["254 octets", { short_message: Buffer.alloc(254, "a") }],
	[
		"a payload alone",
		{ short_message: Buffer.alloc(0), message_payload: Buffer.alloc(300, "a") },
	],
])("%s is taken", async (_what, fields) => {
	const { submit } = await boundClient();
	expect(
		await submit({ source_addr_ton: 0, source_addr: "", ...fields }),
	).toMatchObject({ command_status: 0 });
});

test("a second bind is refused, and the session goes on as it was", async () => {
	const { smsc, request, submit } = await boundClient();
	const account = { system_id: "airtower", password: "airtower" };
	expect(await request("bind_transceiver", account)).toMatchObject({
		command: "bind_transceiver_resp",
		command_status: 0x05,
	});
	expect(await submit()).toMatchObject({ command_status: 0 });
	expect(smsc.stats).toMatchObject({ sessions: 1, binds: 2, taken: 1 });
});

test("a command that no operator of ours serves is refused", async () => {
	const { request } = await boundClient();
	expect(await request("query_sm", { message_id: "1" })).toMatchObject({
		command: "generic_nack",
		command_status: 0x03,
	});
});
