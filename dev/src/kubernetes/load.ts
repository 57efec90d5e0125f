import { setTimeout as delay } from "node:timers/promises";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { DemoSystem } from "../demo/demo-system.ts";
import { callApi } from "../demo/public-api.ts";
import { openRemoteSystem } from "../demo/remote-system.ts";
import { startCallbackLog } from "../load/callback-log.ts";
import { addEndpoint } from "../load/receiver.ts";
import { sendSms } from "../load/sms.ts";
import { createAdminClients } from "../start/admin-clients.ts";
import { grantQuota } from "../start/provision.ts";
import type { LoadReport } from "./load-report.ts";

const CALLBACK_TIMEOUT_MS = 180_000;
const POLL_MS = 500;
const CONNECTIONS = 32;
/** A longer line would not leave the pod whole. */
const SHOWN_FAILURES = 20;
/** The highest that a plan may allow: the load is above the default plan's. */
const REQUESTS_PER_MINUTE = 1_000_000;

interface AccountBody {
	readonly account: {
		readonly quota: { readonly sms: { readonly remaining: number } };
	};
}

/*
 * Sends messages at a steady rate for so many seconds, each once, while pods come and go; then waits for the callbacks
 * and counts what was debited and what the operator got. Prints a LoadReport as one line of JSON.
 */
const [seconds = 60, perSecond = 100] = process.argv.slice(2).map(Number);
const system = await openRemoteSystem("http://gateway", process.env);
const clients = createAdminClients(system);
await clients.accountsAdmin.putPlan({
	name: "default",
	requestsPerMinute: REQUESTS_PER_MINUTE,
});
const units = seconds * perSecond;
await grantQuota(clients, system.organizationId, units, uuidv7());
const run = `load-${Date.now().toString(36)}`;
const receiver = await startCallbackLog(system.receiverHost);
const { webhookEndpoint } = await addEndpoint(system, receiver.url);
const quotaBefore = await remainingQuota(system);
const load = { run, seconds, ratePerSecond: perSecond };
const sent = await sendSms(system, { ...load, connections: CONNECTIONS });
await untilCalledBack(sent.accepted);
const submits = await textsAtOperator();
const report: LoadReport = {
	sent: sent.total,
	accepted: sent.accepted.size,
	failures: sent.failures.slice(0, SHOWN_FAILURES),
	debited: quotaBefore - (await remainingQuota(system)),
	submitted: new Set(submits).size,
	repeated: submits.length - new Set(submits).size,
	calledBack: countCalledBack(sent.accepted),
};
await callApi(system, "DELETE", `/webhooks/${webhookEndpoint.id}`);
console.log(JSON.stringify(report));
process.exit(0);

async function untilCalledBack(accepted: ReadonlySet<string>): Promise<void> {
	const deadline = performance.now() + CALLBACK_TIMEOUT_MS;
	while (countCalledBack(accepted) < accepted.size) {
		if (performance.now() > deadline) return;
		await delay(POLL_MS);
	}
}

function countCalledBack(accepted: ReadonlySet<string>): number {
	const events = [...receiver.eventsAt("/").values()];
	const called = new Set(events.map((event) => event.clientReference));
	return [...accepted].filter((reference) => called.has(reference)).length;
}

async function remainingQuota(of: DemoSystem): Promise<number> {
	const { body } = await callApi<AccountBody>(
		...([of, "GET", "/account"] as const),
	);
	return body.account.quota.sms.remaining;
}

/** The texts of this run that the operator took, one for each submit. */
async function textsAtOperator(): Promise<string[]> {
	const texts: string[] = [];
	for (let from = 0; ; ) {
		const response = await fetch(`${system.smsc?.controlUrl}/log?from=${from}`);
		const page = (await response.json()) as {
			next: number;
			entries: { text: string; status: number }[];
		};
		if (page.entries.length === 0) return texts;
		from = page.next;
		for (const { text, status } of page.entries)
			if (status === 0 && text.includes(`${run}-`)) texts.push(text);
	}
}
