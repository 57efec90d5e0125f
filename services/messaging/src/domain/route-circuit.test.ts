import { expect, test } from "vitest";
import {
	type Circuit,
	judgeRoute,
	NEW_CIRCUIT,
	type Observation,
} from "./route-circuit.ts";

const TICK_MS = 250;
const FAST_MS = 40;

/** Nothing happened on a route that is connected. */
const QUIET: Observation = {
	elapsedMs: TICK_MS,
	isWanted: true,
	isConnected: true,
	canSend: true,
	isWaiting: false,
	good: 0,
	bad: 0,
	responses: 0,
	responseMs: undefined,
	receipts: "undecided",
};
const UNCONNECTED = { isConnected: false, canSend: false };
const SILENT = { isWaiting: true };
const good = (count: number, responseMs = FAST_MS) => ({
	good: count,
	responses: count,
	responseMs,
});
const bad = (count: number) => ({
	bad: count,
	responses: count,
	responseMs: FAST_MS,
});

function after(
	circuit: Circuit,
	seen: Partial<Observation>,
	ms = TICK_MS,
): Circuit {
	let last = circuit;
	for (let at = 0; at < ms; at += TICK_MS)
		last = judgeRoute(last, { ...QUIET, ...seen });
	return last;
}

/** When the health becomes another, ms; at most an hour. */
function changesIn(circuit: Circuit, seen: Partial<Observation>) {
	let last = circuit;
	for (let ms = TICK_MS; ms <= 3_600_000; ms += TICK_MS) {
		last = judgeRoute(last, { ...QUIET, ...seen });
		if (last.health !== circuit.health || last.reason !== circuit.reason)
			return { ms, health: last.health, reason: last.reason };
	}
	return undefined;
}

/** A route that has done well for long. */
const up = after(NEW_CIRCUIT, good(10), 60_000);

/** Down for a reason, and just now in its trial. */
const downBy = {
	not_connected: after(up, UNCONNECTED, 1_500),
	no_response: after(up, SILENT, 2_000),
	errors: after(up, bad(20)),
	slow: after(up, good(20, 10_000)),
	no_receipts: after(up, { receipts: "missing" }),
};
const inTrial = after(downBy.errors, {}, 5_000);

test("a process has no opinion of a route of which it has no connections, and none before the first is up", () => {
	expect(changesIn(NEW_CIRCUIT, { isWanted: false })).toBeUndefined();
	expect(after(NEW_CIRCUIT, UNCONNECTED, 2_000).health).toBeNull();
	expect(changesIn(NEW_CIRCUIT, {})).toMatchObject({ ms: 250, health: "up" });
	expect(after(up, { isWanted: false }).health).toBeNull();
	expect(after(downBy.errors, { isWanted: false }).reason).toBeNull();
});

test.each<[string, Circuit, Partial<Observation>, number]>([
	["not_connected", up, UNCONNECTED, 1_500],
	["not_connected", NEW_CIRCUIT, UNCONNECTED, 5_000],
	["no_response", up, SILENT, 2_000],
	["errors", up, bad(15), 250],
	["no_receipts", up, { receipts: "missing" }, 250],
])("a route is down: %s", (reason, circuit, seen, ms) => {
	expect(changesIn(circuit, seen)).toEqual({ ms, health: "down", reason });
});

test.each<[string, Partial<Observation>]>([
	["nothing to do", {}],
	["good responses", good(10)],
	["one failure in five", { ...good(4), bad: 1, responses: 5 }],
	["slower responses, of less than two seconds", good(10, 1_900)],
	["silence while nothing waits", { responses: 0 }],
	["receipts that nobody can judge yet", { receipts: "undecided" }],
])("a route stays up with %s", (_, seen) => {
	expect(changesIn(up, seen)).toBeUndefined();
});

test("nine failures are of the messages, ten of the route; those of before do not count once many went well", () => {
	const fresh = after(NEW_CIRCUIT, {});
	expect(after(fresh, bad(9)).health).toBe("up");
	expect(after(fresh, bad(10))).toMatchObject({ reason: "errors" });
	const nine = after(up, bad(9));
	expect(after(nine, bad(9))).toMatchObject({ reason: "errors" });
	const forgotten = after(nine, good(10), 5_000);
	expect(after(forgotten, bad(9)).health).toBe("up");
});

test("a response ends the silence; what the process slept is none of the operator's", () => {
	const silent = after(up, SILENT, 1_750);
	const heard = after(silent, { ...good(1), ...SILENT });
	expect(after(heard, SILENT, 1_750).health).toBe("up");
	expect(after(silent, { ...SILENT, elapsedMs: 0 }).health).toBe("up");
	expect(after(silent, SILENT).health).toBe("down");
});

test("an operator that usually takes a second to respond is waited for four seconds, and slow only after five", () => {
	const usual = after(NEW_CIRCUIT, good(10, 1_000), 60_000);
	expect(changesIn(usual, SILENT)).toMatchObject({ ms: 4_000 });
	expect(changesIn(usual, good(10, 4_500))).toBeUndefined();
	expect(changesIn(usual, good(10, 9_000))).toMatchObject({ reason: "slow" });
});

test("slow is told from the usual time: soon for a route that was fast, never for one that always took so long", () => {
	expect(changesIn(up, good(10, 3_000))).toMatchObject({
		ms: 500,
		health: "down",
		reason: "slow",
	});
	expect(changesIn(NEW_CIRCUIT, good(10, 3_000))).toEqual({
		ms: 250,
		health: "up",
		reason: null,
	});
	const always = after(NEW_CIRCUIT, good(10, 3_000), 60_000);
	expect(changesIn(always, good(10, 3_500))).toBeUndefined();
});

test("a route on which a third always fails is up; one on which it was nothing, and half fails now, is down", () => {
	const third = { ...good(20), bad: 10, responses: 30 };
	const used = after(NEW_CIRCUIT, { ...third, good: 4, bad: 2 }, 60_000);
	expect(used.health).toBe("up");
	expect(changesIn(used, third)).toBeUndefined();
	expect(changesIn(used, bad(30))).toMatchObject({ reason: "errors" });
	const half = { ...good(10), bad: 10, responses: 20 };
	expect(changesIn(up, half)).toMatchObject({ ms: 500, reason: "errors" });
});

test("what failed during an outage is not usual afterwards", () => {
	const outage = after(downBy.errors, bad(10), 4_000);
	const back = after(after(outage, {}, 5_000), good(3));
	expect(back.health).toBe("up");
	expect(changesIn(back, bad(15))).toMatchObject({ reason: "errors" });
});

test.each<[keyof typeof downBy, Partial<Observation>, number]>([
	["not_connected", {}, 250],
	["no_response", {}, 5_000],
	["no_response", { responses: 1, responseMs: 9_000 }, 250],
	["errors", {}, 5_000],
	["slow", {}, 5_000],
	["no_receipts", {}, 60_000],
])("a route that is down, %s, is tried", (reason, seen, ms) => {
	expect(downBy[reason]).toMatchObject({ health: "down", reason });
	const trial = { ms, health: "trial", reason };
	expect(changesIn(downBy[reason], seen)).toEqual(trial);
});

test("a route that is down is tried only once something can be sent; without a connection it is down for that", () => {
	expect(changesIn(downBy.not_connected, UNCONNECTED)).toBeUndefined();
	expect(changesIn(downBy.no_response, UNCONNECTED)).toEqual({
		ms: 1_500,
		health: "down",
		reason: "not_connected",
	});
	const overHttp = { isConnected: false, canSend: true };
	const tried = after(downBy.not_connected, overHttp);
	expect(tried.health).toBe("trial");
	expect(changesIn(tried, overHttp)).toBeUndefined();
	expect(changesIn(tried, UNCONNECTED)).toMatchObject({ ms: 1_500 });
});

test("a trial passes with three good parts", () => {
	expect(after(inTrial, good(2)).health).toBe("trial");
	expect(after(after(inTrial, good(2)), good(1))).toMatchObject({
		health: "up",
		reason: null,
	});
	expect(changesIn(inTrial, {})).toBeUndefined();
});

test.each<[string, Partial<Observation>, number]>([
	["errors", bad(1), 250],
	["no_response", SILENT, 2_000],
	["not_connected", UNCONNECTED, 1_500],
	["slow", good(3, 8_000), 250],
])("a trial fails: %s", (reason, seen, ms) => {
	expect(changesIn(inTrial, seen)).toEqual({ ms, health: "down", reason });
});

test("a trial under heavy traffic passes with as many failures as are usual", () => {
	const usual = after(
		NEW_CIRCUIT,
		{ ...good(19), bad: 1, responses: 20 },
		60_000,
	);
	const tried = after(after(usual, bad(100)), {}, 5_000);
	expect(tried.health).toBe("trial");
	const seen = { ...good(9), bad: 1, responses: 10 };
	expect(after(tried, seen).health).toBe("up");
});

test("each trial that fails doubles the wait, up to a minute; one that passes makes it short again", () => {
	let circuit = downBy.errors;
	const waits = Array.from({ length: 6 }, () => {
		const wait = changesIn(circuit, {})?.ms ?? 0;
		circuit = after(after(circuit, {}, wait), bad(1));
		expect(circuit.health).toBe("down");
		return wait;
	});
	expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
	const back = after(after(circuit, {}, 60_000), good(3));
	expect(back.health).toBe("up");
	expect(changesIn(after(back, bad(20)), {})?.ms).toBe(5_000);
});

test("a connection that is up again and held for half a minute passes a trial without traffic, and no other does", () => {
	const connected = after(downBy.not_connected, {});
	expect(changesIn(connected, {})).toMatchObject({ ms: 30_000, health: "up" });
	const overHttp = { isConnected: false, canSend: true };
	expect(changesIn(connected, overHttp)).toBeUndefined();
});

test("for want of receipts only receipts bring a route back; a trial lasts ten seconds, and good parts do not end it", () => {
	const { no_receipts: down } = downBy;
	const trial = after(down, {}, 60_000);
	expect(changesIn(trial, good(10))).toEqual({
		ms: 10_000,
		health: "down",
		reason: "no_receipts",
	});
	for (const circuit of [down, trial])
		expect(changesIn(circuit, { receipts: "coming" })).toMatchObject({
			ms: 250,
			health: "up",
		});
	const missing = { ...good(1), receipts: "missing" as const };
	expect(changesIn(trial, missing)).toMatchObject({ ms: 10_000 });
});
