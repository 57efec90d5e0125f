import { connectDatabase } from "../../database/database.ts";
import { advanceScan } from "../resumable-scan.ts";
import { numbersScan } from "./numbers-scan.ts";

/** Works on two pages of the numbers, and on the third until right before its commit, when it dies. */
const [url = "", schema = ""] = process.argv.slice(2);
const sql = connectDatabase({
	url,
	schema,
	poolSize: 1,
	applicationName: schema,
});
const scan = numbersScan(sql);
await advanceScan(sql, scan);
await advanceScan(sql, scan);
await advanceScan(sql, {
	...scan,
	work: async (sql, page) => {
		await scan.work(sql, page);
		process.kill(process.pid, "SIGKILL");
	},
});
