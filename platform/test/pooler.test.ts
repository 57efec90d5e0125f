import { expect, onTestFinished, test } from "vitest";
import { connectDatabase } from "../src/database/database.ts";
import { migrateAtStart } from "../src/database/migration/migrate-at-start.ts";
import { ConfigError } from "../src/runtime/config.ts";
import { adminUrl } from "../src/testing/database.ts";
import { silentLog } from "../src/testing/log.ts";
import { startSwitchingPooler } from "./drivers/switching-pooler.ts";

function connectTo(port: number) {
	const url = new URL(adminUrl());
	url.port = String(port);
	const sql = connectDatabase({
		url: url.href,
		schema: "public",
		poolSize: 1,
		applicationName: "pooler",
	});
	onTestFinished(() => sql.end({ timeout: 1 }));
	return sql;
}

const serverPort = () => Number(new URL(adminUrl()).port);

test.each(["the same session as the last", "the sessions in turn"] as const)(
	"a start through a pooler that gives each transaction %s ends in one sentence",
	async (choice) => {
		const { port } = await startSwitchingPooler(serverPort(), choice);
		const start = migrateAtStart(connectTo(port), [], silentLog);
		await expect(start).rejects.toThrow(ConfigError);
		await expect(start).rejects.toThrow(
			/^DATABASE_URL leads to a pooler that gives a connection no session of its own with its settings: .*\.$/,
		);
	},
);

test("a start without a pooler, or through one that keeps sessions, goes on", async () => {
	await migrateAtStart(connectTo(serverPort()), [], silentLog);
	const { port } = await startSwitchingPooler(serverPort(), "its own session");
	await migrateAtStart(connectTo(port), [], silentLog);
});
