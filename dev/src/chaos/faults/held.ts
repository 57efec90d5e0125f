import { setTimeout as delay } from "node:timers/promises";
import { openLoadClient } from "../../load/client.ts";
import { complaint } from "../invariants/invariant.ts";
import { readAccounting } from "../invariants/quota.ts";
import { Ledger } from "../load/ledger.ts";
import { probeRequest } from "../load/requests.ts";
import { sendUntilAccepted } from "../load/send.ts";
import { partKey } from "../oracles/operator-log.ts";
import { openTenant, type Tenant } from "../target/tenants.ts";
import { until } from "../target/watch.ts";
import type { Fault, Trial } from "../trial.ts";

/** One more than a bind's window: if each took a share of a claim, nobody else would get one. */
const ORGANIZATIONS = { short: 11, long: 200 };
const WAITING_EACH = 3;
/** Of a message that was accepted while others are on hold, until its outcome is called back, ms. */
const MAX_LATENCY_MS = 10_000;
const SAMPLE = { short: 40, long: 400 };
const PAUSE_MS = 50;
const DELIVERED_TIMEOUT_MS = 120_000;

/** 20 */
export const organizationsOnHold: Fault = {
	number: 20,
	name: "organizations on hold with waiting messages beside one that sends",
	act: async (trial) => {
		const form = trial.isLong ? "long" : "short";
		const onHold = await openTenants(trial, ORGANIZATIONS[form]);
		// The last in the order in which organizations have their turns.
		const [beside] = (await openTenants(trial, 1, "z")) as [Tenant];
		await setHolds(trial, onHold, true);
		const waiting = await sendTo(trial, onHold);
		const late = await sendBeside(trial, beside, SAMPLE[form]);
		const early = await submitted(trial, waiting);
		await setHolds(trial, onHold, false);
		const wrong = await untilDelivered(trial, onHold, waiting);
		trial.note = `${waiting.length} messages of ${onHold.length} organizations waited`;
		return [
			...complaint("messages of others were late", late),
			...complaint("messages were sent during their hold", early),
			...wrong,
		];
	},
};

async function openTenants({ target, run }: Trial, count: number, kind = "h") {
	const tenants: Tenant[] = [];
	for (let at = 0; at < count; at++) {
		const { clients, system, receiver } = target;
		const name = `${run}${kind}${at}`;
		tenants.push(await openTenant(clients, system.baseUrl, receiver, name));
	}
	return tenants;
}

async function setHolds({ target }: Trial, tenants: Tenant[], held: boolean) {
	for (const { organizationId } of tenants)
		await target.clients.messagingAdmin.setHold({ organizationId, held });
}

/** Returns the keys of the parts that the operator is to get. */
async function sendTo(trial: Trial, tenants: Tenant[]): Promise<string[]> {
	const ledger = new Ledger();
	for (let number = 0; number < WAITING_EACH; number++)
		for (const tenant of tenants) await send(trial, ledger, tenant, number);
	return ledger.sent.flatMap(({ tag, recipients }) =>
		recipients.map((recipient) => partKey(tag, recipient, 1)),
	);
}

/** Messages of an organization without a hold. Returns those whose callbacks did not come in time. */
async function sendBeside(
	trial: Trial,
	tenant: Tenant,
	count: number,
): Promise<string[]> {
	const { receiver } = trial.target;
	const ledger = new Ledger();
	const accepted = new Map<string, number>();
	for (let number = 0; number < count; number++) {
		const sent = await send(trial, ledger, tenant, number);
		for (const id of sent.ids) accepted.set(id, Date.now());
		await delay(PAUSE_MS);
	}
	await delay(MAX_LATENCY_MS);
	const heard = new Map(
		[...receiver.eventsAt(tenant.path).values()].map((event) => [
			event.messageId,
			event.firstAt,
		]),
	);
	return [...accepted]
		.filter(([id, at]) => (heard.get(id) ?? Infinity) - at > MAX_LATENCY_MS)
		.map(([id]) => id);
}

async function send(
	{ target, run }: Trial,
	ledger: Ledger,
	tenant: Tenant,
	number: number,
) {
	const connections = openLoadClient(1);
	const { sent, request } = probeRequest(tenant, run, number);
	ledger.sent.push(sent);
	const client = { baseUrls: [target.apiUrl], connections, ledger };
	await sendUntilAccepted(client, sent, request);
	await connections.close();
	return sent;
}

async function submitted({ target }: Trial, keys: string[]) {
	const taken = await target.operatorLog.read();
	return keys.filter((key) => taken.has(key));
}

/** Once the holds are lifted every message that waited is sent, and debited, once. */
async function untilDelivered(
	trial: Trial,
	tenants: Tenant[],
	waiting: string[],
): Promise<string[]> {
	const { target } = trial;
	const organizations = tenants.map(({ organizationId }) => organizationId);
	await until(
		async () => {
			const [row] = await target.sql<[{ count: number }]>`
				select count(*)::int as count
				from messaging.messages
				where organization_id = any (${organizations})
				and status = 'delivered'
			`;
			return row.count >= waiting.length;
		},
		DELIVERED_TIMEOUT_MS,
		"not all that waited is delivered",
	);
	const taken = await target.operatorLog.read();
	const wrong = complaint(
		"parts were not sent exactly once after their hold",
		waiting.filter((key) => taken.get(key) !== 1),
	);
	for (const { name, organizationId, units } of tenants) {
		const { balance } = await readAccounting(target.sql, organizationId);
		if (balance !== units - WAITING_EACH)
			wrong.push(`${name}: ${units} granted, ${balance} remain`);
	}
	return wrong;
}
