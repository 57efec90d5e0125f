import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { healthText } from "./health-text.ts";

const services = { accounts: "ok", webhooks: "ok" };
const up = {
	code: "simulator",
	state: "active",
	health: "up",
	healthReason: "",
	connections: 2,
	connectionsWanted: 2,
	lastError: "",
	nextTryAt: undefined,
	queued: 0n,
};

test("a healthy system is two lines", () => {
	const health = {
		status: "ok",
		services,
		oldestUnsentSeconds: 0,
		oldestUndeliveredCallbackSeconds: 0,
	};
	expect(healthText(health, [up])).toBe(
		"  Health     ok; nothing waits\n  Route      simulator: 2 of 2 connections\n",
	);
});

test("what is late or down is named, a route with its next try", () => {
	const health = {
		status: "degraded",
		services: { ...services, webhooks: "unreachable" },
		oldestUnsentSeconds: 164,
		oldestUndeliveredCallbackSeconds: 3,
	};
	const down = {
		...up,
		connections: 0,
		lastError: "bind refused: 0x0E",
		nextTryAt: timestampFromDate(new Date("2026-11-25T08:00:00Z")),
		queued: 8_206n,
	};
	expect(healthText(health, [down])).toBe(
		"  Health     degraded; webhooks is unreachable, the oldest message waits 164 s to be sent, " +
			"the oldest callback waits 3 s for its first attempt\n" +
			"  Route      simulator is down (bind refused: 0x0E); next try 2026-11-25T08:00:00.000Z; 8206 messages wait\n",
	);
});

test("a route to which no process delivers is not taken for one whose operator is away", () => {
	const idle = { ...up, connections: 0, connectionsWanted: 0, queued: 3n };
	expect(healthText(undefined, [idle])).toContain(
		"simulator: no process delivers; 3 messages wait",
	);
});

test("a route that is connected and down, or tried again, is not shown as one that works", () => {
	const silent = { ...up, health: "down", healthReason: "no_receipts" };
	const tried = { ...up, health: "trial", healthReason: "no_response" };
	const shown = healthText(undefined, [{ ...silent, queued: 3n }, tried]);
	expect(shown).toContain(
		"simulator is down (no receipts): 2 of 2 connections; 3 messages wait\n",
	);
	expect(shown).toContain(
		"simulator is tried again (no response before): 2 of 2 connections\n",
	);
});

test("a route that an admin has paused is said to be, whether it is connected or not", () => {
	const paused = { ...up, state: "paused", queued: 3n };
	const away = { ...paused, connections: 0, lastError: "ECONNREFUSED" };
	for (const route of [paused, away])
		expect(healthText(undefined, [route])).toContain(
			"Route      simulator is paused; 3 messages wait\n",
		);
});

test("a system that does not respond is said to", () => {
	expect(healthText(undefined, undefined)).toBe(
		"  Health     the gateway does not respond\n  Routes     messaging does not tell how they are\n",
	);
});
