import { expect, test } from "vitest";
import { rateShare } from "../domain/bind-share.ts";
import { SenderRates } from "./sender-rates.ts";

interface Message {
	readonly sender: string;
	readonly segments: number;
	dueAt: number;
	claims: number;
}

/**
 * Messages that processes claim by turns when they are due, and write as their senders' rates allow; when, by sender.
 */
function run(
	senders: Readonly<Record<string, { count: number; segments: number }>>,
	perSecond: number,
	processes: number,
	seconds: number,
) {
	const share = rateShare(
		{ rate: undefined, senderRate: perSecond, binds: processes },
		[0],
	);
	const rates = Array.from(
		{ length: processes },
		() => new SenderRates(share.perSender ?? 0),
	);
	const waiting = rates.map((): { sender: string }[] => []);
	const written = new Map<string, number[]>();
	const messages = Object.entries(senders).flatMap(
		([sender, { count, segments }]) =>
			Array.from(
				{ length: count },
				(): Message => ({ sender, segments, dueAt: 0, claims: 0 }),
			),
	);
	let claims = 0;
	let turn = 0;
	for (let now = 0; now < seconds * 1_000; now++) {
		for (const message of messages.filter(({ dueAt }) => dueAt <= now)) {
			const nth = turn++ % processes;
			const [rate, queue] = [rates[nth], waiting[nth]];
			if (rate === undefined || queue === undefined) continue;
			claims++;
			const { sender, segments } = message;
			const own = queue.filter((job) => job.sender === sender).length;
			const isBack = message.claims++ > 0;
			const awayMs = rate.postponement(
				{ sender, segments, waiting: own, isBack, mayWait: true },
				now,
			);
			message.dueAt = awayMs === 0 ? Number.POSITIVE_INFINITY : now + awayMs;
			if (awayMs > 0) continue;
			for (let part = 0; part < segments; part++) queue.push({ sender });
		}
		for (const [nth, queue] of waiting.entries())
			for (const job of [...queue]) {
				if ((rates[nth]?.waitMs(job.sender, now) ?? 1) > 0) continue;
				rates[nth]?.take(job.sender, now);
				queue.splice(queue.indexOf(job), 1);
				const times = written.get(job.sender) ?? [];
				written.set(job.sender, [...times, now]);
			}
	}
	return { times: (sender: string) => written.get(sender) ?? [], claims };
}

test.each([
	[5, 1, 1],
	[5, 1, 3],
	[5, 2, 1],
	[100, 1, 3],
])(
	"a sender of %i/s with messages of %i or more segments keeps its rate in every second, over %i processes, and uses it",
	(perSecond, segments, processes) => {
		const senders = { S: { count: perSecond * 30, segments } };
		const { times } = run(senders, perSecond, processes, 30);
		const sent = times("S");
		// Shares of a sender's rate are fractions: each process may be ahead by one segment.
		const most = perSecond + processes;
		for (const [i, time] of sent.entries())
			expect((sent[i + most] ?? Infinity) - time).toBeGreaterThanOrEqual(999);
		expect(sent.length).toBeGreaterThan(perSecond * 30 * 0.85);
	},
);

test("a sender of 1/s over three processes keeps its rate on average", () => {
	const { times } = run({ S: { count: 200, segments: 1 } }, 1, 3, 120);
	expect(times("S").length).toBeLessThanOrEqual(123);
	expect(times("S").length).toBeGreaterThan(100);
});

test("a sender with many messages is no hindrance to others, and each of its messages is claimed a few times", () => {
	const senders = {
		S: { count: 100, segments: 1 },
		T: { count: 1, segments: 1 },
	};
	const { times, claims } = run(senders, 2, 1, 60);
	expect(times("T")).toEqual([0]);
	expect(times("S")).toHaveLength(100);
	expect(claims).toBeLessThan(300);
});

const FIRST = { sender: "S", waiting: 0, isBack: false, mayWait: true };

test("what comes back has its turn before what is new", () => {
	const rates = new SenderRates(1);
	const arrival = { ...FIRST, segments: 1 };
	expect(rates.postponement(arrival, 0)).toBe(0);
	rates.take("S", 0);
	expect(rates.postponement(arrival, 0)).toBe(1_000);
	expect(rates.postponement(arrival, 0)).toBe(2_000);
	expect(rates.postponement(arrival, 1_000)).toBe(2_000);
	expect(rates.postponement({ ...arrival, isBack: true }, 1_000)).toBe(0);
});

test("nobody is sent away for longer than two minutes, however many wait", () => {
	const rates = new SenderRates(1);
	const arrival = { ...FIRST, segments: 1 };
	rates.take("S", 0);
	const away = Array.from({ length: 500 }, () =>
		rates.postponement(arrival, 0),
	);
	expect(Math.max(...away)).toBe(120_000);
	expect(rates.postponement({ ...arrival, isBack: true }, 120_000)).toBe(0);
});

test("without room only what goes at once may stay", () => {
	const rates = new SenderRates(1);
	const full = { ...FIRST, mayWait: false };
	expect(rates.postponement({ ...full, segments: 1 }, 0)).toBe(0);
	expect(rates.postponement({ ...full, segments: 2 }, 0)).toBe(250);
});

test("senders that sent long ago are forgotten", () => {
	const rates = new SenderRates(10);
	for (let nth = 0; nth < 1_000; nth++) rates.take(`S${nth}`, 0);
	rates.forgetIdle(50);
	expect(rates.size).toBe(1_000);
	rates.forgetIdle(100);
	expect(rates.size).toBe(0);
});

test("a process that holds no connection long enough sends nobody's", () => {
	const rates = new SenderRates(0);
	expect(rates.postponement({ ...FIRST, segments: 1 }, 0)).toBe(250);
	rates.change(2, 1_000);
	expect(rates.postponement({ ...FIRST, segments: 1 }, 1_000)).toBe(0);
});
