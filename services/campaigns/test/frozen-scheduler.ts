import { connectDatabase } from "@airtower/platform/database/database";
import { runDueCampaign } from "../src/jobs/run-campaigns.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import { contextWith, neverStops } from "./test-campaigns.ts";

/**
 * Takes a due campaign and stands still while messaging serves its first batch: `node frozen-scheduler.ts <url>
 * <schema>`.
 */
const [url = "", schema = ""] = process.argv.slice(2);
const messaging = fakeMessaging();
let isFirst = true;
messaging.meanwhile = async () => {
	if (!isFirst) return;
	isFirst = false;
	process.stdout.write("sending\n");
	process.kill(process.pid, "SIGSTOP");
};
const sql = connectDatabase({
	url,
	schema,
	poolSize: 4,
	applicationName: schema,
});
await runDueCampaign(contextWith(sql, messaging), neverStops);
await sql.end();
