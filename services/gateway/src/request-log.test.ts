import { createMetrics } from "@airtower/platform/runtime/metrics";
import { expect, test } from "vitest";
import {
	createRequestLog,
	MAX_WAITING_OF_ONE,
	type RequestLine,
} from "./request-log.ts";
import { createTelemetry } from "./telemetry.ts";

function createWorld() {
	const log = createRequestLog(createTelemetry(createMetrics("gateway")));
	let made = 0;
	const add = (organizationId: string, status: number, times = 1) => {
		for (let count = 0; count < times; count++)
			log.add({ organizationId, refused: status >= 400 }, () =>
				lineOf(organizationId, status, made++),
			);
	};
	const waiting = (limit = 1_000_000) =>
		log.peek(limit).map((line) => `${line.organizationId} ${line.status}`);
	return { log, add, waiting, made: () => made };
}

function lineOf(organizationId: string, status: number, nth: number) {
	const line: RequestLine = {
		organizationId,
		createdAt: new Date(nth),
		id: String(nth),
		requestId: "",
		method: "GET",
		route: null,
		path: "",
		status,
		durationMs: 1,
		apiKeyId: "",
		apiKeyPrefix: "",
		errorCode: null,
		details: null,
		request: null,
	};
	return line;
}

test("a flood of one organization takes neither the place of others nor that of what it was refused", () => {
	const { add, waiting, made } = createWorld();
	add("a", 200, 100_000);
	expect(made()).toBe(MAX_WAITING_OF_ONE);
	add("a", 400, 3);
	add("b", 200, 3);
	const all = waiting();
	expect(all.length).toBe(MAX_WAITING_OF_ONE + 6);
	expect(all.slice(-6)).toEqual([
		...Array(3).fill("a 400"),
		...Array(3).fill("b 200"),
	]);
});

test("the line after those that were too many says how many these were, once", () => {
	const { log, add } = createWorld();
	add("a", 200, MAX_WAITING_OF_ONE + 7);
	add("b", 200);
	log.drop(MAX_WAITING_OF_ONE + 1, 1_000);
	add("a", 429, 2);
	expect(log.peek(10).map(({ omitted }) => omitted)).toEqual([7, 0]);
});

test("lines wait, in their order, until they are dropped; then there is room for others", () => {
	const { log, add, waiting } = createWorld();
	add("a", 200, MAX_WAITING_OF_ONE);
	add("b", 500, 2);
	expect(waiting(1)).toEqual(["a 200"]);
	expect(waiting(1)).toEqual(["a 200"]);
	log.drop(MAX_WAITING_OF_ONE + 1, 1_000);
	expect(waiting()).toEqual(["b 500"]);
	add("a", 200, MAX_WAITING_OF_ONE + 1);
	expect(waiting().length).toBe(MAX_WAITING_OF_ONE + 1);
});

test("while nothing can be stored no more than 50,000 lines wait", () => {
	const { add, made } = createWorld();
	for (let owner = 0; owner < 300; owner++)
		add(`organization ${owner}`, 200, MAX_WAITING_OF_ONE);
	expect(made()).toBe(50_000);
});

test("it tells whose lines of a kind were stored so many times", () => {
	const { log, add } = createWorld();
	const due: unknown[] = [];
	for (let round = 0; round < 3; round++) {
		add("a", 200, 10);
		add("b", 400, 4);
		due.push(log.drop(14, 12));
	}
	expect(due).toEqual([
		[],
		[{ organizationId: "a", refused: false }],
		[
			{ organizationId: "a", refused: false },
			{ organizationId: "b", refused: true },
		],
	]);
});
