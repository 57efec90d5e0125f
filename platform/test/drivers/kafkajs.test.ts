import RequestQueue from "kafkajs/src/network/requestQueue/index.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** The first test fails without the patch: each idle connection would look a thousand times a second. */

const logger = { debug: () => {}, warn: () => {} };

function request(correlationId: number) {
	return {
		entry: { correlationId, resolve: () => {}, reject: () => {} },
		expectResponse: true,
		sendRequest: vi.fn(),
	};
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a connection with nothing to send sets no timer", () => {
	const queue = new RequestQueue({ maxInFlightRequests: 1, logger });
	queue.push(request(1));
	queue.fulfillRequest({ correlationId: 1, payload: {}, size: 0 });
	expect(vi.getTimerCount()).toBe(0);
});

test("a throttled request is sent when the pause is over", () => {
	const queue = new RequestQueue({ maxInFlightRequests: 1, logger });
	queue.maybeThrottle(50);
	const waiting = request(1);
	queue.push(waiting);
	vi.advanceTimersByTime(49);
	expect(waiting.sendRequest).not.toHaveBeenCalled();
	vi.advanceTimersByTime(20);
	expect(waiting.sendRequest).toHaveBeenCalledOnce();
	queue.fulfillRequest({ correlationId: 1, payload: {}, size: 0 });
	expect(vi.getTimerCount()).toBe(0);
});

test("a request beyond the limit in flight is sent when a response makes room", () => {
	const queue = new RequestQueue({ maxInFlightRequests: 1, logger });
	const waiting = request(2);
	queue.push(request(1));
	queue.push(waiting);
	expect(waiting.sendRequest).not.toHaveBeenCalled();
	queue.fulfillRequest({ correlationId: 1, payload: {}, size: 0 });
	expect(waiting.sendRequest).toHaveBeenCalledOnce();
});
