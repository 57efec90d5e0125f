import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpOperator } from "../../src/operators/http/http-operator.ts";
import { parseHttpRoute } from "../../src/operators/http/http-route.ts";
import { holdAll, outgoing } from "../smpp/route.ts";
import {
	localEgress,
	settingsOf,
	startHttpRoute,
	type TestRoute,
} from "./http-operators.ts";

/** One connection: what is submitted at once goes in as few requests as it may. */
const BATCHES = { connections: "1", batch: "10" };
const numberOf = (nth: number) => `+3361234${1000 + nth}`;

/** Submits a message to each of them at once, with a text of its own; returns what became of each. */
async function submitTo(
	{ operator }: Pick<TestRoute, "operator">,
	recipients: readonly string[],
	body?: string,
) {
	const results = await Promise.all(
		recipients.map((to, nth) =>
			operator.submit(outgoing({ to, body: body ?? `text ${nth}` })),
		),
	);
	return results.map(({ parts: [part] }) => part);
}

describe("against the look-alike", () => {
	it("several messages go in one request, each with its text, and have ids and receipts of their own", async () => {
		const route = await startHttpRoute("infobip", { settings: BATCHES });
		const recipients = Array.from({ length: 25 }, (_, nth) => numberOf(nth));
		expect(route.operator.capacity()).toBe(10);
		const parts = await submitTo(route, recipients);
		const { sends, requests } = route.lookAlike;
		expect(requests).toBe(3);
		for (const [nth, to] of recipients.entries()) {
			const send = sends.find((one) => `+${one.to}` === to);
			expect(send?.text).toBe(`text ${nth}`);
			expect(parts[nth]).toMatchObject({
				kind: "accepted",
				operatorMessageId: send?.ids[0],
			});
		}
		await eventually(() => expect(route.receipts).toHaveLength(25));
		const reported = route.receipts.flatMap(({ matchKeys }) => matchKeys);
		expect(new Set(reported)).toEqual(new Set(sends.flatMap(({ ids }) => ids)));
	});

	it("two messages to one recipient never share a request", async () => {
		const route = await startHttpRoute("infobip", { settings: BATCHES });
		const parts = await submitTo(route, [
			numberOf(1),
			numberOf(1),
			numberOf(2),
		]);
		const { sends, requests } = route.lookAlike;
		expect(requests).toBe(2);
		for (const [nth, part] of parts.entries())
			expect(part).toMatchObject({
				operatorMessageId: sends.find((one) => one.text === `text ${nth}`)
					?.ids[0],
			});
	});

	it("a refusal is of its message alone", async () => {
		const route = await startHttpRoute("infobip", { settings: BATCHES });
		const parts = await submitTo(route, [
			numberOf(1),
			"+33612340003",
			numberOf(2),
		]);
		expect(route.lookAlike.requests).toBe(1);
		expect(parts).toMatchObject([
			{ kind: "accepted" },
			{ kind: "refused", permanent: true },
			{ kind: "accepted" },
		]);
	});

	it("without a response each message is unknown, once", async () => {
		const route = await startHttpRoute("infobip", { settings: BATCHES });
		const parts = await submitTo(route, [
			numberOf(1),
			"+33612340012",
			numberOf(2),
		]);
		expect(parts.map((part) => part?.kind)).toEqual(Array(3).fill("unknown"));
		expect(route.lookAlike.sends).toHaveLength(3);
	});

	it.each([
		{ status: 429, kind: "throttled" },
		{ status: 401, kind: "unsent" },
		{ status: 500, kind: "unknown" },
	])(
		"a response of $status to the request is about each message: $kind",
		async ({ status, kind }) => {
			const route = await startHttpRoute("infobip", { settings: BATCHES });
			route.lookAlike.respondNext({ status, body: { requestError: {} } });
			const parts = await submitTo(route, [numberOf(1), numberOf(2)]);
			expect(parts.map((part) => part?.kind)).toEqual([kind, kind]);
		},
	);

	it("a request that is refused for good goes again as one for each message: what is wrong with one fails no other", async () => {
		const route = await startHttpRoute("infobip", { settings: BATCHES });
		const { lookAlike } = route;
		lookAlike.respondNext({ status: 400, body: { requestError: {} } });
		const parts = await submitTo(route, [
			numberOf(1),
			"+33612340003",
			numberOf(2),
		]);
		expect(parts).toMatchObject([
			{ kind: "accepted" },
			{ kind: "refused", permanent: true },
			{ kind: "accepted" },
		]);
		expect(lookAlike.requests).toBe(4);
		expect(lookAlike.sends.map(({ to }) => `+${to}`).toSorted()).toEqual([
			numberOf(1),
			numberOf(2),
		]);
		lookAlike.respondNext({ status: 400, body: { requestError: {} } });
		expect(await submitTo(route, [numberOf(3)])).toMatchObject([
			{ kind: "refused", permanent: true },
		]);
	});

	it("a message that is no longer this process's goes in no request, and the others do", async () => {
		const { operator, lookAlike } = await startHttpRoute("infobip", {
			settings: BATCHES,
		});
		const results = await Promise.all([
			operator.submit(outgoing({ to: numberOf(1) })),
			operator.submit(outgoing({ to: numberOf(2) }), () => false),
		]);
		expect(results.map(({ parts: [part] }) => part?.kind)).toEqual([
			"accepted",
			"unsent",
		]);
		expect(lookAlike.sends.map(({ to }) => to)).toEqual([numberOf(1).slice(1)]);
	});
});

describe("of a response that does not name each message once", () => {
	const entry = (to: string, messageId: string) => ({
		to,
		messageId,
		status: { groupName: "PENDING", name: "PENDING_ACCEPTED" },
	});
	const [one, two, three] = [1, 2, 3].map((nth) => numberOf(nth).slice(1));
	const first = entry(String(one), "a");
	const second = entry(String(two), "b");

	it.each([
		[
			"one is missing",
			[entry(String(three), "c"), first],
			["a", undefined, "c"],
		],
		[
			"one is there twice",
			[first, second, { ...second, messageId: "d" }, entry(String(three), "c")],
			["a", undefined, "c"],
		],
		[
			"one is a stranger's",
			[first, entry("49151", "x"), second],
			["a", "b", undefined],
		],
		[
			"the order is another",
			[entry(String(three), "c"), second, first],
			["a", "b", "c"],
		],
		["only one is left", [second], [undefined, "b", undefined]],
	])(
		"%s: what is named is taken, the rest is unknown",
		async (_what, messages, ids) => {
			const route = await startHttpRoute("infobip", { settings: BATCHES });
			route.lookAlike.respondNext({ status: 200, body: { messages } });
			const parts = await submitTo(route, [1, 2, 3].map(numberOf));
			expect(parts).toMatchObject(
				ids.map((id) =>
					id === undefined
						? { kind: "unknown" }
						: { kind: "accepted", operatorMessageId: id },
				),
			);
		},
	);
});

describe("of an operator that takes one text for many, and responds in their order", () => {
	const description = JSON.stringify({
		send: {
			method: "POST",
			path: "/send",
			json: { from: "{from}", text: "{text}", to: ["{to}"] },
		},
		batch: { list: "to", most: 1_000 },
		response: { messages: "ids", id: "id" },
		callback: {
			id: "id",
			status: "status",
			states: {},
			verify: {
				kind: "secret",
				in: "header",
				name: "x-secret",
				value: "a-long-secret",
			},
		},
	});
	interface Body {
		readonly text: string;
		readonly to: readonly string[];
	}

	/** Responds in pieces, with the ids that `toIds` gives. */
	async function startOperator(
		toIds: (body: Body) => unknown[],
		batch = BATCHES.batch,
	) {
		const bodies: Body[] = [];
		const server = createServer(async (request, response) => {
			const body = JSON.parse(await text(request)) as Body;
			bodies.push(body);
			const reply = JSON.stringify({ ids: toIds(body) });
			response.write(reply.slice(0, 5));
			setTimeout(() => response.end(reply.slice(5)), 10);
		});
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		onTestFinished(() => void server.close());
		const { port } = server.address() as AddressInfo;
		const address = `http://127.0.0.1:${port}`;
		const callback = `${address}/callback`;
		const operator = createHttpOperator({
			route: parseHttpRoute("own", {
				...BATCHES,
				batch,
				address,
				callback,
				description,
			}),
			log: silentLog,
			egress: localEgress(),
		});
		onTestFinished(() => operator.close());
		operator.start({ onReceipt: async () => {}, onMessage: async () => {} });
		holdAll(operator);
		return { bodies, operator };
	}

	it("only messages of one text and sender go together", async () => {
		const { bodies, operator } = await startOperator(({ to }) =>
			to.map((id) => ({ id })),
		);
		const messages = [
			{ to: numberOf(1), body: "A" },
			{ to: numberOf(2), body: "B" },
			{ to: numberOf(3), body: "A" },
			{ to: numberOf(4), body: "A", sender: "Other" },
		];
		const results = await Promise.all(
			messages.map((message) => operator.submit(outgoing(message))),
		);
		expect(bodies.map(({ text, to }) => [text, to])).toEqual([
			["A", [numberOf(1), numberOf(3)]],
			["B", [numberOf(2)]],
			["A", [numberOf(4)]],
		]);
		expect(results.flatMap(({ parts }) => parts)).toMatchObject(
			messages.map(({ to }) => ({ kind: "accepted", operatorMessageId: to })),
		);
	});

	it("the response to the largest request is read to its end: each message has its id", async () => {
		const description = "Message sent to next instance. ".repeat(10);
		const { bodies, operator } = await startOperator(
			({ to }) => to.map((id) => ({ id, description })),
			"1000",
		);
		const recipients = Array.from({ length: 1_000 }, (_, nth) => numberOf(nth));
		const parts = await submitTo({ operator }, recipients, "one text");
		expect(bodies).toHaveLength(1);
		const ids = parts.map((part) =>
			part?.kind === "accepted" ? part.operatorMessageId : part?.kind,
		);
		expect(ids).toEqual(recipients);
	});

	it("ids for fewer messages than were sent are nobody's", async () => {
		const route = await startOperator(({ to }) =>
			to.slice(1).map((id) => ({ id })),
		);
		const parts = await submitTo(route, [1, 2, 3].map(numberOf), "one text");
		expect(route.bodies).toHaveLength(1);
		expect(parts.map((part) => part?.kind)).toEqual(Array(3).fill("unknown"));
	});
});

describe("a setting that does not fit is refused", () => {
	const address = "https://sms.example";
	const infobip = settingsOf("infobip", address, `${address}/callback`);

	it.each([
		[{ ...infobip, batch: "101" }, "batch"],
		[{ ...infobip, batch: "0" }, "batch"],
		[{ ...settingsOf("vonage", address, address), batch: "2" }, "batch"],
	])("%o", (settings, setting) => {
		expect(() => parseHttpRoute("own", settings)).toThrow(`"${setting}"`);
	});
});
