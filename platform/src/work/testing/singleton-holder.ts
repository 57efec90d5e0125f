import { connectDatabase } from "../../database/database.ts";
import { silentLog } from "../../testing/log.ts";
import { runSingleton } from "../singleton.ts";

/** Holds a singleton as a process of its own, and prints `held` and `lost`. */
const [url = "", schema = "", name = "", leaseMs = ""] = process.argv.slice(2);
await runSingleton({
	sql: connectDatabase({ url, schema, poolSize: 2, applicationName: schema }),
	name,
	leaseMs: Number(leaseMs),
	signal: new AbortController().signal,
	log: silentLog,
	whileHeld: (signal) =>
		new Promise((resolve) => {
			process.stdout.write("held\n");
			signal.addEventListener("abort", () => {
				process.stdout.write("lost\n");
				resolve();
			});
		}),
});
