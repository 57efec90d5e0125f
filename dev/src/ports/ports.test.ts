import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepPorts } from "./kept-ports.ts";
import { claimPorts } from "./port-picker.ts";
import { planPorts } from "./ports.ts";

test("a start that tries again keeps the port that was asked for and those of its simulators", async () => {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-ports-"));
	const other = await claimPorts();
	const kept = {
		smpp: await other.pick(),
		smscControl: await other.pick(),
		cloudApi: await other.pick(),
		secondSmpp: await other.pick(),
		secondSmscControl: await other.pick(),
		httpSms: await other.pick(),
	};
	await keepPorts(dataDir, kept);
	const options = { dataDir, httpPort: await other.pick() };
	const picker = await claimPorts();
	const first = await planPorts(options, picker);
	const lost = first.rpc.accounts;
	const stranger = createServer();
	await new Promise<void>((resolve) =>
		stranger.listen(lost, "127.0.0.1", resolve),
	);
	const { http, rpc, ops, ...simulators } = await planPorts(options, picker);
	expect(http).toBe(options.httpPort);
	expect(simulators).toEqual(kept);
	expect([...Object.values(rpc), ...Object.values(ops)]).not.toContain(lost);
	stranger.close();
	for (const { release } of [picker, other]) release();
	await rm(dataDir, { recursive: true });
});
