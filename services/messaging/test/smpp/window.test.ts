import { eventually } from "@airtower/platform/testing/eventually";
import { longestMs } from "@airtower/platform/testing/frozen";
import { expect, test } from "vitest";
import {
	bindThen,
	ENQUIRE_LINK,
	type Incoming,
	pdu,
	responseTo,
	SUBMIT,
	startRawServer,
} from "./raw-server.ts";
import { bound, outgoing, startRoute } from "./route.ts";

test("never more than the window waits for a response, and all of it is used", async () => {
	const { submit, smsc } = await startRoute({
		query: "window=7",
		smsc: { settings: { answerDelayMs: 20 } },
	});
	await Promise.all(Array.from({ length: 100 }, () => submit()));
	expect(smsc.stats.peakUnanswered).toBe(7);
	expect(smsc.log.taken()).toHaveLength(100);
});

test("a window of one is one message at a time", async () => {
	const { submit, smsc } = await startRoute({
		query: "window=1",
		smsc: { settings: { answerDelayMs: 10 } },
	});
	await Promise.all(Array.from({ length: 10 }, () => submit()));
	expect(smsc.stats.peakUnanswered).toBe(1);
});

test("enquire_links go out in a full window, and never make it overrun", async () => {
	const { submit, smsc } = await startRoute({
		query: "window=1",
		smsc: { settings: { answerDelayMs: 20 } },
		limits: { enquireLinkMs: 5 },
	});
	await Promise.all(Array.from({ length: 10 }, () => submit()));
	expect(smsc.stats.enquiries).toBeGreaterThan(0);
	expect(smsc.log.taken()).toHaveLength(10);
	expect(smsc.stats.peakUnanswered).toBe(1);
});

test("an enquire_link without a response takes no place in the window", async () => {
	let enquiries = 0;
	const { operator } = await startRawServer(
		bindThen(({ id }) => {
			if (id === ENQUIRE_LINK) enquiries++;
		}),
		{ query: "window=1", limits: { enquireLinkMs: 20 } },
	);
	await eventually(() => expect(enquiries).toBeGreaterThan(0));
	expect(operator.capacity()).toBe(1);
	expect(operator.status().outstanding).toBe(0);
});

test("the response to a part lets the next one out while an enquire_link waits for one", async () => {
	let submits = 0;
	let held: Incoming | undefined;
	const { operator } = await startRawServer(
		bindThen((incoming) => {
			if (incoming.id === SUBMIT && ++submits === 1) {
				held = incoming;
				return;
			}
			if (incoming.id === ENQUIRE_LINK && held !== undefined) {
				accept(held);
				held = undefined;
			}
			accept(incoming);
		}),
		{ query: "window=1", limits: { enquireLinkMs: 50 } },
	);
	await bound(operator);
	const { parts } = await operator.submit(outgoing({ body: "a".repeat(300) }));
	expect(parts.map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
});

/** Longer than a busy machine keeps a response waiting. */
const SILENCE_MS = 5_000;

test("an operator that responds to parts and to no enquire_link is not taken for one that stands still", async () => {
	let enquiries = 0;
	const isUp = new Set<boolean>();
	const { operator } = await startRawServer(
		bindThen((incoming) => {
			if (incoming.id === ENQUIRE_LINK) enquiries++;
			else
				setTimeout(() => {
					isUp.add(operator.status().bound);
					accept(incoming);
				}, 10);
		}),
		{ limits: { enquireLinkMs: 20, enquireTimeoutMs: SILENCE_MS } },
	);
	await bound(operator);
	const until = performance.now() + 2 * SILENCE_MS;
	while (performance.now() < until) {
		const { parts } = await operator.submit(outgoing());
		expect(parts.map(({ kind }) => kind)).toEqual(["accepted"]);
	}
	expect(enquiries).toBeGreaterThan(0);
	expect([...isUp]).toEqual([true]);
	await eventually(() => expect(operator.status().bound).toBe(false));
});

function accept({ id, sequence, socket }: Incoming): void {
	const body = id === SUBMIT ? `${sequence}\0` : "";
	socket.write(pdu(responseTo(id), 0, sequence, body));
}

test("the parts of a long message each take a place in the window", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "window=2",
		smsc: { settings: { answerDelayMs: 20 } },
	});
	const long = submit({ body: "a".repeat(1_000) });
	expect(operator.capacity()).toBe(0);
	await long;
	expect(smsc.stats.peakUnanswered).toBe(2);
	expect(operator.capacity()).toBe(2);
});

test("the parts of a long message go over one connection, and what comes later over the others", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "window=2&binds=2",
		smsc: { settings: { answerDelayMs: 200 } },
	});
	const long = submit({ body: "a".repeat(1_000) });
	expect(operator.status()).toMatchObject({ outstanding: 2, queued: 5 });
	expect(operator.capacity()).toBe(2);
	const short = await Promise.all([submit(), submit()]);
	expect(short.flat()).toMatchObject(Array(2).fill({ kind: "accepted" }));
	expect(smsc.log.total).toBeLessThanOrEqual(6);
	expect(await long).toMatchObject(Array(7).fill({ kind: "accepted" }));
});

test("of a long message whose connection is lost the rest stays unsent", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "window=2",
		smsc: { settings: { answerDelayMs: 5_000 } },
	});
	const long = submit({ body: "a".repeat(1_000) });
	await eventually(() => expect(smsc.log.total).toBe(2));
	smsc.dropConnections();
	const kinds = (await long).map(({ kind }) => kind);
	expect(kinds).toEqual([
		...Array<string>(2).fill("unknown"),
		...Array<string>(5).fill("unsent"),
	]);
	expect(operator.status().queued).toBe(0);
});

test("capacity counts free places, and listeners hear of new ones", async () => {
	const { operator, submit } = await startRoute({
		query: "window=3",
		smsc: { settings: { answerDelayMs: 20 } },
	});
	const heard: number[] = [];
	operator.onCapacity(() => heard.push(operator.capacity()));
	const submits = [submit(), submit()];
	expect(operator.capacity()).toBe(1);
	await Promise.all(submits);
	await eventually(() => expect(heard.at(-1)).toBe(3));
	expect(heard.every((capacity) => capacity > 0)).toBe(true);
});

test("a dispatcher that follows capacity drains any backlog without queueing", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "window=5&binds=2",
	});
	let left = 500;
	let queued = 0;
	const results: Promise<unknown>[] = [];
	const go = () => {
		for (let free = operator.capacity(); free > 0 && left > 0; free--) {
			left--;
			results.push(submit());
		}
		queued = Math.max(queued, operator.status().queued);
	};
	operator.onCapacity(go);
	go();
	await eventually(() => expect(smsc.log.total).toBe(500));
	await Promise.all(results);
	expect(queued).toBe(0);
});

test("the agreed rate is kept, in segments", async () => {
	const { submit, smsc } = await startRoute({
		query: "rate=50&window=100",
	});
	await Promise.all(
		Array.from({ length: 30 }, () => submit({ body: "a".repeat(300) })),
	);
	const times = smsc.log.taken().map((entry) => entry.at);
	const tookMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
	expect(times).toHaveLength(60);
	expect(tookMs).toBeGreaterThan(1_100);
	expect(tookMs).toBeLessThan(longestMs(10_000));
});

test("capacity of a slow route is what it can write soon, not its window", async () => {
	const { operator } = await startRoute({ query: "rate=8&window=100" });
	expect(operator.capacity()).toBe(2);
});

test("parts that wait too long for a place come back unsent", async () => {
	const { submit, smsc } = await startRoute({
		query: "window=1",
		smsc: { settings: { answerDelayMs: 1_500 } },
		limits: { queueTimeoutMs: 200 },
	});
	const first = submit();
	expect(await submit()).toEqual([
		{ part: 1, kind: "unsent", why: "no free slot" },
	]);
	expect((await first)[0]?.kind).toBe("accepted");
	expect(smsc.log.total).toBe(1);
});

test("of what waits for the rate nothing is written once it is others' to send", async () => {
	const { operator, smsc } = await startRoute({
		query: "rate=10&window=100",
	});
	let asked = 0;
	const { parts } = await operator.submit(
		outgoing({ body: "a".repeat(300) }),
		() => ++asked === 1,
	);
	expect(parts).toMatchObject([{ kind: "accepted" }, { kind: "unsent" }]);
	expect(smsc.log.total).toBe(1);
});

test("a part whose time has run out while the process stood still is not written", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "rate=10&window=100",
		limits: { queueTimeoutMs: 300 },
	});
	const results = [submit(), submit()];
	expect(operator.status().queued).toBe(1);
	standStill(600);
	expect((await results[1])?.[0]).toMatchObject({ kind: "unsent" });
	expect((await results[0])?.[0]).toMatchObject({ kind: "accepted" });
	expect(smsc.log.total).toBe(1);
});

/** Nothing happens in this process for so long, ms. */
function standStill(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
