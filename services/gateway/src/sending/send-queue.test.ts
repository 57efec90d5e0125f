import { createMetrics } from "@airtower/platform/runtime/metrics";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, expect, test, vi } from "vitest";
import { createTelemetry } from "../telemetry.ts";
import {
	createSendQueue,
	MAX_WAIT_MS,
	MAX_WAITING_MESSAGES,
} from "./send-queue.ts";

const client = { destroyed: false };
const accepted = (value: number) => ({
	result: { case: "accepted" as const, value },
});
const refused = { refusal: { code: "service_unavailable" } };

afterEach(() => {
	vi.useRealTimers();
});

/** A queue into a service that returns each message as its own result, once its gate is open. */
function startQueue() {
	const gate = Promise.withResolvers<void>();
	const calls: number[][] = [];
	let underWay = 0;
	let mostUnderWay = 0;
	const queue = createSendQueue<number, number>({
		channel: "sms",
		maxMessagesPerCall: 500,
		telemetry: createTelemetry(createMetrics("test")),
		send: async (messages) => {
			calls.push(messages);
			mostUnderWay = Math.max(mostUnderWay, ++underWay);
			await gate.promise;
			underWay--;
			return messages.map(accepted);
		},
	});
	return { queue, calls, gate, mostUnderWay: () => mostUnderWay };
}

function numbers(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}

test("at most so many messages go in one call, one call at a time", async () => {
	const { queue, calls, gate, mostUnderWay } = startQueue();
	const sent = Promise.all(
		numbers(1_800).map((number) => queue.add(number, client)),
	);
	const sizes = () => calls.map((messages) => messages.length);
	await eventually(() => expect(sizes()).toEqual([500]));
	gate.resolve();
	expect(await sent).toEqual(numbers(1_800));
	expect(sizes()).toEqual([500, 500, 500, 300]);
	expect(mostUnderWay()).toBe(1);
});

test("a failed call fails its messages once and is not repeated", async () => {
	const { queue, calls, gate } = startQueue();
	const sent = Promise.allSettled(
		numbers(2).map((number) => queue.add(number, client)),
	);
	await eventually(() => expect(calls).toHaveLength(1));
	gate.reject(new Error("the response was lost"));
	const results = await sent;
	expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
	expect(calls).toEqual([[0, 1]]);
});

test("a message whose client hangs up while it waits is not sent; the others get their own results", async () => {
	const { queue, calls, gate } = startQueue();
	const first = queue.add(1, client);
	await eventually(() => expect(calls).toEqual([[1]]));
	const leaving = { destroyed: false };
	const others = [queue.add(2, client), queue.add(3, leaving)];
	const last = queue.add(4, client);
	leaving.destroyed = true;
	gate.resolve();
	const [second, third] = await Promise.allSettled(others);
	expect(second).toMatchObject({ value: 2 });
	expect(third).toMatchObject({ reason: refused });
	expect([await first, await last]).toEqual([1, 4]);
	expect(calls).toEqual([[1], [2, 4]]);
});

test("a client that hangs up during the call changes nothing", async () => {
	const { queue, calls, gate } = startQueue();
	const leaving = { destroyed: false };
	const sent = queue.add(1, leaving);
	await eventually(() => expect(calls).toEqual([[1]]));
	leaving.destroyed = true;
	gate.resolve();
	expect(await sent).toBe(1);
});

test("a message that has waited too long is refused, and no service has had it", async () => {
	vi.useFakeTimers({ toFake: ["performance"] });
	const { queue, calls, gate } = startQueue();
	const first = queue.add(1, client);
	await eventually(() => expect(calls).toEqual([[1]]));
	const overdue = queue.add(2, client);
	vi.advanceTimersByTime(1);
	const punctual = queue.add(3, client);
	vi.advanceTimersByTime(MAX_WAIT_MS);
	gate.resolve();
	await expect(overdue).rejects.toMatchObject(refused);
	expect([await first, await punctual]).toEqual([1, 3]);
	expect(calls).toEqual([[1], [3]]);
});

test("when too many wait, one more is refused at once", async () => {
	const { queue, calls, gate } = startQueue();
	const sent = numbers(MAX_WAITING_MESSAGES).map((number) =>
		queue.add(number, client),
	);
	await expect(queue.add(-1, client)).rejects.toMatchObject(refused);
	gate.resolve();
	await Promise.all(sent);
	expect(calls.flat()).toEqual(numbers(MAX_WAITING_MESSAGES));
});

test("results that are fewer than the messages fail the call, whoever has hung up", async () => {
	const queue = createSendQueue<number, number>({
		channel: "sms",
		maxMessagesPerCall: 500,
		telemetry: createTelemetry(createMetrics("test")),
		send: async () => [accepted(1)],
	});
	const gone = { destroyed: true };
	const results = await Promise.allSettled([
		queue.add(1, client),
		queue.add(2, client),
		queue.add(3, gone),
	]);
	for (const result of results)
		expect(String(Object(result).reason)).toContain("one result per message");
});
