import { percentile } from "../../bench/figures.ts";
import { callApi } from "../../demo/public-api.ts";
import { openLoadClient } from "../../load/client.ts";
import { runOpenLoop } from "../../load/open-loop.ts";
import { smsRequest } from "../../load/sms.ts";
import { campaignRequest, probeRequest } from "../load/requests.ts";
import { sendUntilAccepted } from "../load/send.ts";
import { openTenant, type Tenant } from "../target/tenants.ts";
import { until } from "../target/watch.ts";
import type { Fault, Trial } from "../trial.ts";

const FORM = {
	short: { events: 5_000, seconds: 8, ratePerSecond: 20 },
	long: { events: 50_000, seconds: 60, ratePerSecond: 50 },
};
const CAMPAIGN = 5_000;
const CONNECTIONS = 32;
/** What the flooding organization may do, and what it tries. */
const ALLOWED_PER_MINUTE = 600;
const FLOOD_PER_SECOND = 200;
/** The window of 10 lets some 200 messages a second through on two cores, those of others included. */
const QUEUE_TIMEOUT_MS = 600_000;
const CALLBACK_TIMEOUT_MS = 30_000;
/** How much longer others may wait, in the long form on a quiet machine. */
const MOST = 1.2;

/** 17 */
export const oneFloods: Fault = {
	number: 17,
	name: "one organization floods, its endpoint hangs with events",
	isAlone: true,
	act: async (trial) => {
		const form = FORM[trial.isLong ? "long" : "short"];
		const before = await measure(trial, form, 0);
		const flooder = await openFlooder(trial);
		await fillQueue(trial, flooder, form.events);
		const flood = startFlood(trial, flooder);
		const during = await measure(
			trial,
			form,
			form.seconds * form.ratePerSecond,
		);
		const refused = await flood.stop();
		const ratios = {
			accept: during.acceptMs / before.acceptMs,
			callback: during.callbackMs / before.callbackMs,
		};
		trial.note =
			`others' p99: accept ${before.acceptMs} -> ${during.acceptMs} ms, ` +
			`callback ${before.callbackMs} -> ${during.callbackMs} ms; ${form.events} events, ${refused} refused`;
		return trial.isLong
			? Object.entries(ratios)
					.filter(([, ratio]) => ratio > MOST)
					.map(
						([what, ratio]) =>
							`others' ${what} p99 is ${ratio.toFixed(2)} times`,
					)
			: [];
	},
};

/** p99 of an open loop of one of the others, ms: until it is accepted, and from then until its callback. */
async function measure(
	{ load, tenants, run, target }: Trial,
	form: (typeof FORM)["short"],
	from: number,
) {
	const { ledger } = load;
	const connections = openLoadClient(CONNECTIONS);
	const client = { ledger, baseUrls: [target.apiUrl], connections };
	const accepted = new Map<string, number>();
	const latencies = await runOpenLoop(form, async (at) => {
		const { sent, request } = probeRequest(tenants.b, run, from + at);
		ledger.sent.push(sent);
		await sendUntilAccepted(client, sent, request);
		for (const id of sent.ids) accepted.set(id, Date.now());
	});
	const called = () =>
		[...target.receiver.eventsAt(tenants.b.path).values()].flatMap((event) => {
			const at = accepted.get(event.messageId);
			return at === undefined ? [] : [event.firstAt - at];
		});
	await until(
		() => called().length >= accepted.size,
		CALLBACK_TIMEOUT_MS,
		"callbacks did not come",
	);
	await connections.close();
	return {
		acceptMs: Math.round(percentile(latencies, 0.99)),
		callbackMs: Math.round(percentile(called(), 0.99)),
	};
}

async function openFlooder({ target, run }: Trial): Promise<Tenant> {
	const { clients, receiver, system } = target;
	const plan = "flood";
	await clients.accountsAdmin.putPlan({
		name: plan,
		requestsPerMinute: ALLOWED_PER_MINUTE,
	});
	const name = `${run}f`;
	receiver.behave(`/ok/${name}`, "hang");
	return openTenant(clients, system.baseUrl, receiver, name, { plan });
}

/** Its endpoint never responds, so that every outcome of its campaigns waits. */
async function fillQueue(
	{ target, run }: Trial,
	flooder: Tenant,
	events: number,
): Promise<void> {
	for (let number = 0; number * CAMPAIGN < events; number++) {
		const { request } = campaignRequest(flooder, run, number, CAMPAIGN);
		await callApi(
			{ baseUrl: target.apiUrl, apiKey: flooder.apiKey },
			...(["POST", request.path, request.body] as const),
		);
	}
	await until(
		async () => {
			const [row] = await target.sql<{ count: number }[]>`
				select count(*)::int as count
				from webhooks.delivery_queue as q
				join webhooks.endpoints as e on e.id = q.endpoint_id
				where e.organization_id = ${flooder.organizationId}
			`;
			return (row?.count ?? 0) >= events;
		},
		QUEUE_TIMEOUT_MS,
		`${events} events do not wait`,
	);
}

/** Far more than its plan allows, whatever becomes of it. Returns how many were refused. */
function startFlood({ target, run }: Trial, { apiKey }: Tenant) {
	const client = openLoadClient(CONNECTIONS);
	const api = { baseUrl: target.apiUrl, apiKey };
	let number = 0;
	let refused = 0;
	const send = async () => {
		const { status } = await client.post(api, smsRequest(run, number++));
		if (status === 429) refused++;
	};
	const timer = setInterval(
		() => void send().catch(() => {}),
		1_000 / FLOOD_PER_SECOND,
	);
	return {
		stop: async () => {
			clearInterval(timer);
			await client.close();
			return refused;
		},
	};
}
