import { connectDatabase } from "@airtower/platform/database/database";

/**
 * Locks the scan of reservations, as a settling reconciler does, and stands still: `node frozen-reconciler.ts <url>
 * <schema>`.
 */
const [url = "", schema = ""] = process.argv.slice(2);
const sql = connectDatabase({
	url,
	schema,
	poolSize: 1,
	applicationName: "frozen",
});
await sql
	.begin(async (sql) => {
		await sql`
			update scan_positions
			set position = position
			where name = 'reservations/sms'
		`;
		process.stdout.write("settling\n");
		process.kill(process.pid, "SIGSTOP");
	})
	.catch((error: Error) => process.stdout.write(`${error.message}\n`));
await sql.end();
