import { setTimeout as delay } from "node:timers/promises";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { Pool } from "undici";
import type { DemoSystem } from "../demo/demo-system.ts";
import { callApi } from "../demo/public-api.ts";
import { openRemoteSystem } from "../demo/remote-system.ts";
import { startReceiver } from "../receiver.ts";
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

interface Sent {
	readonly accepted: ReadonlySet<string>;
	readonly failures: readonly string[];
	readonly total: number;
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
const called = new Set<string>();
const receiver = await startReceiver({
	host: system.receiverHost,
	onCallback: ({ body }) => {
		const { data } = JSON.parse(body) as { data: { message_id: string } };
		called.add(data.message_id);
	},
});
const { body: registered } = await callApi<{ webhookEndpoint: { id: string } }>(
	...([system, "POST", "/webhooks"] as const),
	{
		url: receiver.url,
		subscribed_events: ["message.delivered", "message.failed"],
	},
);
const quotaBefore = await remainingQuota(system);
const sent = await sendAll();
await untilCalledBack(sent.accepted);
const submits = await textsAtOperator();
const report: LoadReport = {
	sent: sent.total,
	accepted: sent.accepted.size,
	failures: sent.failures.slice(0, SHOWN_FAILURES),
	debited: quotaBefore - (await remainingQuota(system)),
	submitted: new Set(submits).size,
	repeated: submits.length - new Set(submits).size,
	calledBack: [...sent.accepted].filter((id) => called.has(id)).length,
};
await callApi(system, "DELETE", `/webhooks/${registered.webhookEndpoint.id}`);
console.log(JSON.stringify(report));
process.exit(0);

/** An open loop: a request leaves when it is due, whatever became of those before it. */
async function sendAll(): Promise<Sent> {
	const total = seconds * perSecond;
	const accepted = new Set<string>();
	const failures: string[] = [];
	const pool = new Pool("http://gateway", { connections: CONNECTIONS });
	const startedAt = performance.now();
	const requests: Promise<void>[] = [];
	for (let number = 0; number < total; number++) {
		const dueAt = startedAt + (number / perSecond) * 1_000;
		await delay(Math.max(0, dueAt - performance.now()));
		const request = send(pool, number).then(
			(id) => void accepted.add(id),
			(error: Error) => void failures.push(error.message),
		);
		requests.push(request);
	}
	await Promise.all(requests);
	return { accepted, failures, total };
}

async function send(pool: Pool, number: number): Promise<string> {
	const to = `+3361${String(number % 1_000).padStart(3, "0")}${1_000 + (number % 9_000)}`;
	const response = await pool.request({
		path: "/api/v1/sms/send",
		method: "POST",
		headers: {
			authorization: `Bearer ${system.apiKey}`,
			"content-type": "application/json",
		},
		body: JSON.stringify({ to, message: `${run} ${number}` }),
	});
	const text = await response.body.text();
	if (response.statusCode !== 202)
		throw new Error(`${response.statusCode} ${text}`);
	const { provider } = JSON.parse(text) as { provider: { messageId: string } };
	return provider.messageId;
}

async function untilCalledBack(ids: ReadonlySet<string>): Promise<void> {
	const deadline = performance.now() + CALLBACK_TIMEOUT_MS;
	while (![...ids].every((id) => called.has(id))) {
		if (performance.now() > deadline) return;
		await delay(POLL_MS);
	}
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
			if (status === 0 && text.startsWith(`${run} `)) texts.push(text);
	}
}
