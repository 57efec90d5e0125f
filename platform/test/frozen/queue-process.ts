import { connectDatabase } from "../../src/database/database.ts";
import { silentLog } from "../../src/testing/log.ts";
import {
	createLease,
	keepLease,
	QUEUE_LEASE_MS,
} from "../../src/work/lease.ts";
import { claim, settle } from "../leased-queue/letter-queue.ts";

/** Claims letters, stands still, and goes on as if nothing had been: `node queue-process.ts <url> <schema>`. */
const [url = "", schema = ""] = process.argv.slice(2);
const sql = connectDatabase({
	url,
	schema,
	poolSize: 2,
	applicationName: schema,
});
const lease = await createLease(sql, QUEUE_LEASE_MS, silentLog);
const stop = new AbortController();
const { signal } = stop;
const kept = keepLease(lease, QUEUE_LEASE_MS, { log: silentLog, signal });
const queue = { database: { sql }, lease };
const rows = await claim(queue, 20);
process.stdout.write(`claimed ${rows.length}\n`);
process.kill(process.pid, "SIGSTOP");
const mayBeSent = rows.filter(({ token }) => lease.covers(token));
const settled = await settle(queue, rows);
process.stdout.write(`sent ${mayBeSent.length} settled ${settled.length}\n`);
stop.abort();
await kept.done;
await sql.end();
