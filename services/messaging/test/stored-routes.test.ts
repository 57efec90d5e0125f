import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@airtower/platform/runtime/log";
import { testDatabase } from "@airtower/platform/testing/database";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { expect, onTestFinished, test, vi } from "vitest";
import { migrations } from "../src/migrations.ts";
import { openRoutes } from "../src/routes/stored-routes.ts";

const CA = join(tmpdir(), `stored-routes-${process.pid}.pem`);

test("a route whose file is missing while a process starts is there once the file is, and the log tells of both once", async () => {
	const { sql, drop } = await testDatabase(migrations);
	onTestFinished(drop);
	const lines: { level: string; msg: string }[] = [];
	const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
	const log = createLogger({ service: "test", level: "info", destination });
	const told = () =>
		lines.filter(({ msg }) => /read/.test(msg)).map(({ level }) => level);
	const open = (seedUrl: string) =>
		openRoutes({ sql, log, ring: testKeyRing, seedUrl });
	writeFileSync(CA, "");
	onTestFinished(() => rmSync(CA, { force: true }));
	await open(`smpps://u:p@127.0.0.1:9?ca=${CA}`);
	rmSync(CA);

	const now = vi.spyOn(performance, "now");
	onTestFinished(() => now.mockRestore());
	now.mockReturnValue(0);
	const routes = await open("smpp://u:p@127.0.0.1:9?code=other");
	const codes = () => routes.current().map(({ code }) => code);
	const refreshAt = async (ms: number) => {
		now.mockReturnValue(ms);
		await routes.refresh();
		return codes();
	};
	expect(codes()).toEqual(["other"]);
	expect(await refreshAt(11_000)).toEqual(["other"]);
	writeFileSync(CA, "");
	expect(await refreshAt(12_000)).toEqual(["other"]);
	expect(await refreshAt(22_000)).toEqual(["smpp", "other"]);
	expect(await refreshAt(40_000)).toEqual(["smpp", "other"]);
	expect(told()).toEqual(["error", "info"]);
});
