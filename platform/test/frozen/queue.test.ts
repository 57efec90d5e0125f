import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { uuidv7 } from "../../src/runtime/ids.ts";
import { runLoop } from "../../src/runtime/loop.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { frozenMs, LONGEST_WAIT_MS } from "../../src/testing/frozen.ts";
import { silentLog } from "../../src/testing/log.ts";
import {
	createLease,
	keepLease,
	QUEUE_LEASE_MS,
	rescueExpired,
} from "../../src/work/lease.ts";
import { claim, settle, takeOver } from "../leased-queue/letter-queue.ts";
import { addLetters, lettersForEachTest } from "../leased-queue/letters.ts";

const CLAIMED = 20;
const PROGRAM = fileURLToPath(new URL("queue-process.ts", import.meta.url));

const letters = lettersForEachTest();

test("what a process has claimed that stands still under load waits under 15 s, and is neither sent nor settled by it later", async () => {
	const { sql, url, schema } = letters.database;
	await addLetters(letters, uuidv7(), CLAIMED);
	const frozen = spawn(process.execPath, [PROGRAM, url, schema], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void frozen.kill("SIGKILL"));
	const [claimed] = await once(frozen.stdout, "data");
	const frozenAt = performance.now();
	expect(String(claimed)).toContain(`claimed ${CLAIMED}`);

	const lease = await createLease(sql, QUEUE_LEASE_MS, silentLog);
	const stop = new AbortController();
	const loop = { log: silentLog, signal: stop.signal };
	const kept = keepLease(lease, QUEUE_LEASE_MS, loop);
	const rescuing = runLoop({
		...loop,
		name: "rescue",
		intervalMs: 1_000,
		runOnce: () => rescueExpired(sql, lease, takeOver),
	});
	const addedAt = new Map<string, number>();
	const waits: number[] = [];
	await eventually(async () => {
		const owner = uuidv7();
		addedAt.set(owner, performance.now());
		await addLetters(letters, owner, 1);
		const rows = await claim({ database: { sql }, lease }, 2 * CLAIMED);
		const done = await settle(letters, rows);
		expect(done).toHaveLength(rows.length);
		for (const { ownerId } of rows)
			waits.push(performance.now() - (addedAt.get(ownerId) ?? frozenAt));
		expect(waits).toHaveLength(CLAIMED + addedAt.size);
		expect(performance.now() - frozenAt).toBeGreaterThan(frozenMs(0));
	});
	expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT_MS);

	frozen.kill("SIGCONT");
	const [word] = await once(frozen.stdout, "data");
	expect(String(word)).toContain("sent 0 settled 0");
	stop.abort();
	await Promise.all([kept.done, rescuing.done]);
});
