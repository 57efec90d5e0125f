import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type CallOptions, call } from "./call.ts";
import { openSocket } from "./raw.ts";
import { startWorld, type World } from "./world.ts";

let world: World;

beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

function organization() {
	const { apiKey, organizationId } = world.accounts.addKey();
	const send = (path: string, options: CallOptions = {}) =>
		call(world.baseUrl, path, { apiKey, ...options });
	return {
		apiKey,
		organizationId,
		post: (csv: string, headers = {}) =>
			send("/opt-outs/import", { method: "POST", body: { csv }, headers }),
		postTable: (raw: string) =>
			send("/opt-outs/import", {
				method: "POST",
				raw,
				headers: { "content-type": "text/csv" },
			}),
		table: async () => (await send("/opt-outs/export")).text,
		send,
	};
}

const linesOf = (table: string) => table.split("\r\n").slice(1, -1);
const phone = (nth: number) => `+3361234${String(nth).padStart(4, "0")}`;

test("an import tells what it added and what was there; the next one adds nothing", async () => {
	const { post, postTable } = organization();
	const csv = `recipient,sender\n${phone(1)},\n${phone(2)},ACME\n${phone(1)},\n`;
	const first = await post(csv);
	expect(first.body).toEqual({ success: true, added: 2, alreadyListed: 1 });
	const again = await postTable(csv);
	expect(again.body).toEqual({ success: true, added: 0, alreadyListed: 3 });
});

test("one line that is refused is named, and nothing of the table is added", async () => {
	const { post, table } = organization();
	const { status, body } = await post(`recipient\n${phone(1)}\n\n12\n`);
	expect(status).toBe(400);
	expect(body.error?.details).toEqual([
		{
			field: "csv.4.recipient",
			code: "invalid_phone_number",
			message: expect.stringContaining("in line 4"),
		},
	]);
	expect(linesOf(await table())).toEqual([]);
});

test("10,000 entries are taken and 10,001 are not", async () => {
	const { post } = organization();
	const lines = Array.from({ length: 10_000 }, (_, nth) => phone(nth));
	const most = await post(["recipient", ...lines].join("\n"));
	expect(most.body).toMatchObject({ added: 10_000 });
	const more = await post(["recipient", ...lines, phone(1)].join("\n"));
	expect(more.status).toBe(400);
	expect(more.body.error?.details).toMatchObject([
		{ field: "csv", code: "too_long" },
	]);
});

test("a repeated key replays the response, and is refused with another table", async () => {
	const { post } = organization();
	const headers = { "idempotency-key": uuidv7() };
	const csv = `recipient\n${phone(1)}`;
	const first = await post(csv, headers);
	const second = await post(csv, headers);
	expect(second.headers.get("idempotent-replayed")).toBe("true");
	expect(second.text).toBe(first.text);
	expect((await post(`${csv}2`, headers)).status).toBe(409);
});

test("a table is taken on its own path alone, in UTF-8", async () => {
	const { send } = organization();
	const headers = { "content-type": "text/csv" };
	const elsewhere = await send("/opt-outs", {
		method: "POST",
		raw: "recipient",
		headers,
	});
	expect(elsewhere.status).toBe(415);
	const latin1 = await send("/opt-outs/import", {
		method: "POST",
		raw: new Uint8Array([0xe9]),
		headers,
	});
	expect([latin1.status, latin1.body.error?.code]).toEqual([
		400,
		"validation_failed",
	]);
});

test("an export has every number over all pages but the erased ones, and leaves no formula to a spreadsheet", async () => {
	const { post, table, organizationId, send } = organization();
	const numbers = Array.from({ length: 450 }, (_, nth) => phone(nth));
	await post(`recipient,sender\n${numbers.join(",-A-1\n")},-A-1`);
	const erased = world.messaging.optOuts.get(organizationId)?.[7];
	if (erased !== undefined) erased.recipient = "";
	const lines = linesOf(await table());
	const told = lines.map((line) => line.split(",", 1)[0]).sort();
	expect(told).toEqual(numbers.toSpliced(7, 1));
	for (const line of lines)
		expect(line).toMatch(/^\+3361234\d{4},'-A-1,import,20[\dT:.-]+Z$/);
	const { headers } = await send("/opt-outs/export");
	expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
	expect(headers.get("content-disposition")).toBe(
		'attachment; filename="opt-outs.csv"',
	);
});

test("an export is taken by another organization as it is", async () => {
	const [one, other] = [organization(), organization()];
	await one.post(
		`recipient,sender\n${phone(1)},\n${phone(2)},-A-1\n${phone(3)},ACME`,
	);
	const table = await one.table();
	expect((await other.postTable(table)).body).toMatchObject({ added: 3 });
	const withoutTimes = (text: string) =>
		linesOf(text)
			.map((line) => line.split(",").slice(0, 2).join())
			.sort();
	expect(withoutTimes(await other.table())).toEqual(withoutTimes(table));
});

test("of an organization two exports run at a time, and those of others beside them", async () => {
	const [one, other] = [organization(), organization()];
	const gate = Promise.withResolvers<void>();
	world.messaging.gate = gate.promise;
	const begin = () => one.send("/opt-outs/export");
	const begun = [begin(), begin(), begin()];
	const refused = await Promise.race(begun);
	expect([refused.status, refused.body.error?.code]).toEqual([
		429,
		"rate_limited",
	]);
	expect(refused.headers.get("retry-after")).toBe("5");
	const foreign = other.send("/opt-outs/export");
	gate.resolve();
	const ended = await Promise.all([...begun, foreign]);
	const statuses = ended.map(({ status }) => status);
	expect(statuses.toSorted()).toEqual([200, 200, 200, 429]);
	expect((await begin()).status).toBe(200);
});

test.each(["1.0", "1.1"])(
	"over HTTP/%s a table that ends in the middle is not taken for a whole one",
	async (version) => {
		const { apiKey, post } = organization();
		const numbers = Array.from({ length: 900 }, (_, nth) => phone(nth));
		await post(["recipient", ...numbers].join("\n"));
		const begun = Promise.withResolvers<void>();
		const gate = vi.spyOn(world.messaging, "gate", "get");
		gate.mockResolvedValueOnce();
		gate.mockImplementation(async () => {
			await begun.promise;
			throw new Error("away");
		});
		const ended = Promise.withResolvers<string>();
		const socket = openSocket(world.baseUrl);
		socket.write(
			`GET /api/v1/opt-outs/export HTTP/${version}\r\nhost: x\r\nx-api-key: ${apiKey}\r\n\r\n`,
		);
		let text = "";
		socket.setEncoding("utf8");
		socket.on("data", (chunk: string) => {
			text += chunk;
			if (text.includes("import,")) begun.resolve();
		});
		socket.on("end", () => ended.resolve("ended"));
		socket.on("error", () => ended.resolve("broken off"));
		const end = await ended.promise;
		gate.mockRestore();
		expect(text).toContain("import,");
		expect(end).toBe("broken off");
	},
);

test("who asks for the head of an export alone has no more than a page of it read", async () => {
	const { post, send } = organization();
	const numbers = Array.from({ length: 900 }, (_, nth) => phone(nth));
	await post(["recipient", ...numbers].join("\n"));
	const read = vi.spyOn(world.messaging, "gate", "get");
	const { status, text } = await send("/opt-outs/export", { method: "HEAD" });
	expect([status, text]).toEqual([200, ""]);
	// A list whose pages were read in the background would have its last one by then.
	for (const _ of numbers.slice(0, 20)) await send("/opt-outs?limit=1");
	expect(read).toHaveBeenCalledTimes(21);
	read.mockRestore();
});
