import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	type AttemptHistory,
	decideAttempt,
	type OtherRoutes,
} from "./attempt-outcome.ts";
import type { PartOutcome, PartResult } from "./submit-result.ts";

const NEW: AttemptHistory = {
	takenParts: [],
	refusals: 0,
	unclear: false,
	sessionRefusals: 0,
};

/** A route that no other stands in for. */
const ALONE: OtherRoutes = {
	present: "only",
	isOverloaded: () => false,
	tried: [],
	findOther: () => undefined,
	findFirst: () => "only",
};

const accepted: PartOutcome = {
	kind: "accepted",
	operatorMessageId: "1A",
	storeKey: "26",
};
const temporary: PartOutcome = {
	kind: "refused",
	permanent: false,
	reason: "operator_error",
	operatorError: "0x14",
};
const permanent: PartOutcome = {
	kind: "refused",
	permanent: true,
	reason: "rejected",
	operatorError: "0x0B",
};
const unclear: PartOutcome = {
	kind: "unclear",
	reason: "operator_error",
	operatorError: "0x45",
};
const throttled: PartOutcome = {
	kind: "throttled",
	operatorError: "0x58",
	retryAfterMs: 1_000,
};
const unsent: PartOutcome = { kind: "unsent", why: "not bound" };
const unknown: PartOutcome = { kind: "unknown", why: "no response" };

function decide(
	outcomes: readonly PartOutcome[],
	history: Partial<AttemptHistory> = {},
	total = outcomes.length,
) {
	const parts = outcomes.map(
		(outcome, index): PartResult => ({ ...outcome, part: index + 1 }),
	);
	return decideAttempt({ total, parts }, { ...NEW, ...history }, 0.5, ALONE);
}

test("a message is submitted when the operator has every part", () => {
	expect(decide([accepted])).toEqual({ kind: "submitted" });
	expect(decide([accepted, accepted])).toEqual({ kind: "submitted" });
	const missing = { total: 2, parts: [{ ...accepted, part: 2 }] };
	const history = { ...NEW, takenParts: [1] };
	expect(decideAttempt(missing, history, 0.5, ALONE)).toEqual({
		kind: "submitted",
	});
});

test("a permanent refusal of one part fails the message, whatever the others say", () => {
	for (const other of [accepted, temporary, throttled, unsent, unknown])
		expect(decide([other, permanent])).toEqual({
			kind: "failed",
			reason: "rejected",
		});
});

test("a part without a response makes the message unknown", () => {
	for (const other of [accepted, temporary, throttled, unsent, unclear])
		expect(decide([other, unknown])).toEqual({ kind: "unknown" });
});

test("temporary refusals back off and are counted", () => {
	expect(decide([temporary])).toMatchObject({
		kind: "postponed",
		delayMs: 2_000,
		refusals: 1,
		countsAsAttempt: true,
	});
	expect(decide([temporary, temporary], { refusals: 3 })).toMatchObject({
		delayMs: 16_000,
		refusals: 4,
	});
});

test("throttling waits as long as the operator says and is no refusal", () => {
	expect(decide([throttled])).toMatchObject({
		kind: "postponed",
		delayMs: 1_000,
		refusals: 0,
	});
});

test("a message that was throttled keeps its place through a short pause, and only then", () => {
	const briefly = { ...throttled, retryAfterMs: 300 };
	for (const parts of [[briefly], [briefly, accepted], [briefly, unsent]])
		expect(decide(parts)).toMatchObject({ keepsPlace: true });
	const long = { ...throttled, retryAfterMs: 2_000 };
	for (const parts of [[long], [briefly, temporary], [unsent]])
		expect(decide(parts)).toMatchObject({ keepsPlace: false });
});

test("a message whose sender is at its rate goes away until its turn, and counts no attempt", () => {
	expect(decide([{ ...unsent, retryAfterMs: 7_000 }])).toMatchObject({
		kind: "postponed",
		delayMs: 7_000,
		countsAsAttempt: false,
	});
});

test("a unclear refusal is tried once more, then fails", () => {
	expect(decide([unclear])).toMatchObject({
		kind: "postponed",
		unclear: true,
	});
	expect(decide([unclear], { unclear: true })).toEqual({
		kind: "failed",
		reason: "operator_error",
	});
});

test("an unsent message goes back without counting as an attempt", () => {
	expect(decide([unsent, unsent])).toMatchObject({
		kind: "postponed",
		refusals: 0,
		unclear: false,
		countsAsAttempt: false,
	});
	expect(decide([accepted, unsent])).toMatchObject({
		kind: "postponed",
		countsAsAttempt: true,
	});
});

test("a message that costs a second session is unknown and must not cost a third", () => {
	const session: PartOutcome = { kind: "session", operatorError: "0x04" };
	expect(decide([session])).toMatchObject({
		kind: "postponed",
		sessionRefusals: 1,
		countsAsAttempt: true,
	});
	expect(decide([accepted, session], { sessionRefusals: 1 })).toEqual({
		kind: "unknown",
		mustNotResend: true,
	});
});

describe("of several routes", () => {
	const TWO: OtherRoutes = {
		...ALONE,
		present: "a",
		findOther: () => "b",
		findFirst: () => "a",
	};

	const decideOn = (
		routes: Partial<OtherRoutes>,
		outcomes: readonly PartOutcome[],
		history: Partial<AttemptHistory> = {},
	) => {
		const parts = outcomes.map((outcome, index) => ({
			...outcome,
			part: index + 1,
		}));
		const result = { total: outcomes.length, parts };
		const known = { ...NEW, ...history };
		return decideAttempt(result, known, 0.5, { ...TWO, ...routes });
	};

	test.each([
		["a temporary", temporary],
		["an unclear", unclear],
	])("%s refusal is another's to take, at once", (_name, refusal) => {
		expect(decideOn({}, [refusal])).toMatchObject({
			kind: "postponed",
			route: "b",
			triedRoutes: ["a"],
			delayMs: 0,
			refusals: 0,
		});
	});

	test("after all have refused it a message waits, and begins anew with the first", () => {
		const last = { present: "b", tried: ["a"], findOther: () => undefined };
		expect(decideOn(last, [temporary], { refusals: 1 })).toMatchObject({
			route: "a",
			triedRoutes: [],
			delayMs: 4_000,
			refusals: 2,
		});
	});

	test("a second unclear refusal fails a message, also by another route", () => {
		const last = { present: "b", tried: ["a"] };
		expect(decideOn(last, [unclear], { unclear: true })).toEqual({
			kind: "failed",
			reason: "operator_error",
		});
	});

	test("what a route throttles is another's only once it has throttled for long", () => {
		expect(decideOn({}, [throttled])).toMatchObject({ delayMs: 1_000 });
		expect(decideOn({}, [throttled])).not.toHaveProperty("route");
		const isOverloaded = () => true;
		expect(decideOn({ isOverloaded }, [throttled])).toMatchObject({
			route: "b",
			delayMs: 0,
		});
	});

	test("a message of which the route has a part, or that cost its session, stays", () => {
		const session: PartOutcome = { kind: "session", operatorError: "0x04" };
		for (const [parts, history] of [
			[[accepted, temporary], {}],
			[[temporary, temporary], { takenParts: [3] }],
			[[temporary, session], {}],
		] as const)
			expect(decideOn({}, parts, history)).toMatchObject({
				kind: "postponed",
				triedRoutes: [],
			});
	});

	test("an unsent message keeps what has refused it", () => {
		const routes = { present: "b", tried: ["a"] };
		expect(decideOn(routes, [unsent])).toMatchObject({ triedRoutes: ["a"] });
	});

	const step = fc.record({
		response: fc.constantFrom(temporary, unclear, throttled, unsent),
		healthy: fc.subarray(["a", "b", "c", "d"]),
		overloaded: fc.boolean(),
	});

	test("whatever they respond and however their health changes, none is given a message twice without a wait", () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
				let [present, tried]: [string, readonly string[]] = ["a", []];
				let history = NEW;
				const refusedBy = new Set<string>();
				for (const { response, healthy, overloaded } of steps) {
					if (response !== unsent) {
						expect(refusedBy.has(present)).toBe(false);
						refusedBy.add(present);
					}
					const outcome = decideOn(
						{
							present,
							tried,
							isOverloaded: () => overloaded,
							findOther: () =>
								healthy.find((one) => one !== present && !tried.includes(one)),
							findFirst: () => "a",
						},
						[response],
						history,
					);
					if (outcome.kind !== "postponed") return;
					const { refusals, unclear, delayMs } = outcome;
					history = { ...history, refusals, unclear };
					[present, tried] = [outcome.route ?? present, outcome.triedRoutes];
					if (response !== unsent && delayMs > 0) refusedBy.clear();
				}
			}),
		);
	});
});
