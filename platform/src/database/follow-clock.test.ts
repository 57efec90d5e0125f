import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { silentLog } from "../testing/log.ts";
import type { Tx } from "./database.ts";
import { followClock } from "./follow-clock.ts";
import { platformMigrations } from "./migration/migration-set.ts";

const STEP_MS = 5 * 60_000;

let database: TestDatabase;
let steps: number[];

beforeEach(async () => {
	database = await testDatabase([platformMigrations.clock], {
		hasMovableClock: true,
	});
	steps = [];
});

afterEach(() => database.drop());

async function noteStep(_: Tx, stepMs: number): Promise<void> {
	steps.push(stepMs);
}

function follow(moveBack = noteStep): Promise<number> {
	return followClock({ sql: database.sql, log: silentLog }, moveBack);
}

test("a step back is told once, to one of many processes, with its length", async () => {
	await follow();
	await database.setClock(-STEP_MS);
	await Promise.all(Array.from({ length: 5 }, () => follow()));
	await follow();
	expect(steps).toHaveLength(1);
	expect(Math.abs((steps[0] ?? 0) - STEP_MS)).toBeLessThan(60_000);
});

test("a step back is told when what it moves could not be moved at first", async () => {
	await follow();
	await database.setClock(-STEP_MS);
	const failing = follow(async () => {
		throw new Error("not now");
	});
	await expect(failing).rejects.toThrow("not now");
	await follow();
	expect(steps).toHaveLength(1);
});

test("a step forward moves nothing, and its way back is a step back", async () => {
	await database.setClock(STEP_MS);
	await follow();
	expect(steps).toEqual([]);
	await database.setClock(0);
	await follow();
	expect(steps).toHaveLength(1);
});
