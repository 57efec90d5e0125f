import { expect, test } from "vitest";
import { numberOf, startDoctorWorld, type Told } from "./doctor-world.ts";

const HOUR_MS = 3_600_000;
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

/** YYMMDDhhmm of a clock that is so far ahead of ours. */
function submitDate(submittedAt: number, aheadMs: number): string {
	const time = new Date(submittedAt + aheadMs).toISOString();
	return time.replace(/\D/g, "").slice(2, 12);
}

/** Messages that were submitted an hour ago, a second apart, whose receipts have ids that nobody has. */
function unreadable(n: number, more: Partial<Told> = {}): Told {
	const submittedAt = Date.now() - HOUR_MS + n * 1_000;
	const date = submitDate(submittedAt, 2 * HOUR_MS);
	return {
		responded: `response-${n}`,
		receipted: `receipt-${n}`,
		to: numberOf(n),
		submittedAt,
		raw: `id:receipt-${n} submit date:${date} stat:DELIVRD`,
		...more,
	};
}

test("receipts whose ids are of no use are matched by number and submit date, once the operator's clock is known", async () => {
	const world = await startDoctorWorld("exact");
	const ids = await world.tell(range(200).map((n) => unreadable(n)));
	/** Two messages to one number within a minute: nobody can tell whose receipt is whose. */
	await world.tell([
		unreadable(300, { to: numberOf(300) }),
		unreadable(301, { to: numberOf(300) }),
	]);
	/** To a number to which a message went, an hour before. */
	await world.tell([
		unreadable(400, { submittedAt: Date.now() - 2 * HOUR_MS }),
	]);
	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	const proposed = found.findings.filter(({ isProposed }) => isProposed);
	expect(proposed).toMatchObject([
		{
			proposal: "clock=+02:00",
			tally: { matched: 200n, ambiguous: 2n, contradicted: 0n },
		},
	]);
	expect(found.conclusions[0]).toMatch(
		/^200 of 203 receipts have ids that no message has/,
	);
	const done = await world.apply("one", "clock=+02:00");
	expect(done).toMatchObject({ routes: [], receipts: 200 });
	await world.replay();
	expect(await world.delivered()).toEqual(ids.toSorted());
	expect(await world.parked()).toBe(3);
	expect(await world.apply("one", "clock=+02:00")).toMatchObject({
		receipts: 0,
	});
});

test("a clock is not told by dates that do not agree", async () => {
	const world = await startDoctorWorld("exact");
	await world.tell(
		range(40).map((n) =>
			unreadable(n, { submittedAt: Date.now() - HOUR_MS - n * 600_000 }),
		),
	);
	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	expect(found.findings).toEqual([]);
});

test("where a form of ids matches as many, no clock is proposed", async () => {
	const world = await startDoctorWorld("hex");
	await world.tell(
		range(40).map((n) =>
			unreadable(n, {
				responded: (0xab_0000 + n).toString(16),
				receipted: String(0xab_0000 + n),
			}),
		),
	);
	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	const proposed = found.findings.filter(({ isProposed }) => isProposed);
	expect(proposed.map(({ proposal }) => proposal)).toEqual([
		"ids=hex-dec",
		"ids=auto",
	]);
});
