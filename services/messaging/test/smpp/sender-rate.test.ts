import { expect, test } from "vitest";
import { outgoing, startRoute } from "./route.ts";

test("a sender at its rate sends its other messages away, and takes no place from other senders", async () => {
	const { operator, smsc } = await startRoute({
		query: "senderrate=2&window=40",
	});
	const started = performance.now();
	const ofBusy = Array.from({ length: 30 }, () =>
		operator.submit(outgoing({ sender: "Busy" })),
	);
	const ofOthers = Array.from({ length: 30 }, (_, nth) =>
		operator.submit(outgoing({ sender: `Other${nth}` })),
	);
	expect(operator.status().queued).toBeLessThanOrEqual(1);
	for (const { parts } of await Promise.all(ofOthers))
		expect(parts).toMatchObject([{ kind: "accepted" }]);
	const busy = (await Promise.all(ofBusy)).flatMap(({ parts }) => parts);
	const away = busy.filter(({ kind }) => kind === "unsent");
	const seconds = (performance.now() - started) / 1_000;
	expect(away.length).toBeGreaterThanOrEqual(28 - 2 * seconds);
	const waits = away.map((part) => Number(Object(part).retryAfterMs));
	expect(waits).toEqual(waits.toSorted((a, b) => a - b));
	expect(waits.at(-1)).toBeGreaterThan(10_000 - 1_000 * seconds);
	const written = smsc.log.entries.filter(({ source }) => source === "Busy");
	expect(written.length).toBeLessThanOrEqual(1 + 2 * seconds);
});

test("parts of a long message go one after the other as their sender may send, others' in between", async () => {
	const { operator, smsc } = await startRoute({
		query: "senderrate=4&window=40",
	});
	const started = performance.now();
	const long = operator.submit(
		outgoing({ sender: "Busy", body: "a".repeat(600) }),
	);
	const other = await operator.submit(outgoing({ sender: "Other" }));
	expect(other.parts).toMatchObject([{ kind: "accepted" }]);
	expect((await long).parts.map(({ kind }) => kind)).toEqual(
		Array(4).fill("accepted"),
	);
	expect(performance.now() - started).toBeGreaterThan(740);
	expect(smsc.log.taken()).toHaveLength(5);
});
