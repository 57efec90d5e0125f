import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { silentLog } from "../testing/log.ts";
import { createSettling, type SettlingOptions } from "./micro-batcher.ts";

interface Attempt {
	readonly id: number;
	/** At most 5 characters. */
	readonly response: string | null;
}

/** The database refuses this one with and without its response. */
const REFUSED_ID = 13;

let db: TestDatabase;
let shutdown: AbortController;
let batches: number[][];

beforeAll(async () => {
	db = await testDatabase([]);
});

afterAll(() => db.drop());

beforeEach(async () => {
	shutdown = new AbortController();
	batches = [];
	await db.sql`drop table if exists attempts`;
	await db.sql`
		create table attempts (id int primary key check (id <> ${db.sql.unsafe(String(REFUSED_ID))}), response varchar(5))`;
});

async function store(attempts: readonly Attempt[]): Promise<void> {
	batches.push(attempts.map(({ id }) => id));
	await db.sql`insert into attempts ${db.sql(attempts.map((one) => ({ ...one })))}`;
}

function settling(
	settle: SettlingOptions<Attempt>["settle"] = store,
	maxBatch = 100,
) {
	return createSettling<Attempt>({
		maxBatch,
		log: silentLog,
		signal: shutdown.signal,
		settle,
		withoutResponse: (attempt) => ({ ...attempt, response: null }),
	});
}

function attempt(id: number, response = "ok"): Attempt {
	return { id, response };
}

function stored() {
	return db.sql<Attempt[]>`select id, response from attempts order by id`;
}

describe("settling", () => {
	it("records what is finished at once in one batch", async () => {
		const settler = settling();
		await Promise.all([1, 2, 3].map((id) => settler.add(attempt(id))));
		expect(batches).toEqual([[1, 2, 3]]);
		expect(await stored()).toHaveLength(3);
	});

	it("records an attempt without its response when the database refuses that, and the others with theirs", async () => {
		const settler = settling();
		const responses = ["ok", "ok", "much too long", "ok", "ok"];
		await Promise.all(
			responses.map((response, id) => settler.add({ id, response })),
		);
		expect((await stored()).map(({ response }) => response)).toEqual([
			"ok",
			"ok",
			null,
			"ok",
			"ok",
		]);
	});

	it("keeps responses while the database is away", async () => {
		let away = 2;
		const settler = settling(async (attempts) => {
			if (away-- > 0)
				throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
			await store(attempts);
		});
		await Promise.all([1, 2].map((id) => settler.add(attempt(id))));
		expect(batches).toEqual([[1, 2]]);
		expect((await stored()).map(({ response }) => response)).toEqual([
			"ok",
			"ok",
		]);
	});

	it("rejects an attempt that is refused in any form, and records the others", async () => {
		const settler = settling();
		const refused = settler.add(attempt(REFUSED_ID));
		const others = [1, 2, 3].map((id) => settler.add(attempt(id)));
		await expect(refused).rejects.toThrow("check constraint");
		await Promise.all(others);
		expect((await stored()).map(({ id }) => id)).toEqual([1, 2, 3]);
	});

	it("gives everything back when it is shut down while the database is away", async () => {
		const settler = settling(async () => {
			throw new Error("the database is away");
		});
		const lost = settler.add(attempt(1));
		shutdown.abort();
		await expect(lost).rejects.toThrow("the database is away");
	});
});
