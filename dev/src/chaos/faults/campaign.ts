import { setTimeout as delay } from "node:timers/promises";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { callApi } from "../../demo/public-api.ts";
import { grantQuota } from "../../start/provision.ts";
import { readAccounting } from "../invariants/quota.ts";
import { campaignRequest } from "../load/requests.ts";
import { partKey } from "../oracles/operator-log.ts";
import { openTenant, type Tenant } from "../target/tenants.ts";
import { until } from "../target/watch.ts";
import type { Fault, Trial } from "../trial.ts";

const RECIPIENTS = { short: 900, long: 5_000 };
/**
 * Units for a recipient that are there when the campaign begins, and that each grant adds. A campaign that waits for
 * quota gets half of a grant: these halves are enough for all recipients, because what is there at the beginning may
 * be reserved by a call that a kill has ended, and comes back to the organization and not to the campaign's share.
 */
const FIRST = 1 / 3;
const GRANTS = [1 / 5, 1 / 5, 2];
const KILLS_EACH = { short: 1, long: 2 };
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_200;
/** What a call that was lost had reserved comes back with a reconciliation, half a minute later. */
const SUMS_TIMEOUT_MS = 120_000;
/** A paused campaign asks again after 30 s, and then after as long as it has been paused. */
const END_TIMEOUT_MS = 300_000;
const POLL_MS = 500;

/** 21 */
export const campaignStarved: Fault = {
	number: 21,
	name: "messaging killed again and again under a campaign with too little quota",
	act: async (trial) => {
		const { target, run, random, isLong } = trial;
		const form = isLong ? "long" : "short";
		const [recipients, killsEach] = [RECIPIENTS[form], KILLS_EACH[form]];
		let units = Math.round(recipients * FIRST);
		const { clients, system, receiver } = target;
		const tenant = await openTenant(
			...([clients, system.baseUrl, receiver, `${run}c`] as const),
			{ units },
		);
		const { sent, request } = campaignRequest(tenant, run, 0, recipients);
		await callApi(
			{ baseUrl: target.apiUrl, apiKey: tenant.apiKey },
			...(["POST", request.path, request.body] as const),
		);
		for (const part of GRANTS) {
			for (let kills = 0; kills < killsEach; kills++) {
				await delay(random.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
				await target.kill("messaging", "SIGKILL");
				await target.restart("messaging");
			}
			const granted = Math.round(recipients * part);
			await grantQuota(clients, tenant.organizationId, granted, uuidv7());
			units += granted;
		}
		await target.kill("messaging", "SIGKILL");
		await target.restart("messaging");
		await untilEnded(trial, tenant);
		trial.note = `${recipients} recipients, ${GRANTS.length * killsEach + 1} kills, ${units} units in ${GRANTS.length + 1} grants`;
		const keys = sent.recipients.map((phone) => partKey(sent.tag, phone, 1));
		return [
			...(await wrongSums(trial, tenant, { recipients, units })),
			...(await wrongSubmits(trial, keys)),
		];
	},
};

async function untilEnded({ target }: Trial, { organizationId }: Tenant) {
	await until(
		async () => {
			const [row] = await target.sql<[{ status: string; open: number }?]>`
				select status, (audience - delivered - failed)::int as open
				from campaigns.campaigns
				where organization_id = ${organizationId}
			`;
			return row?.status === "completed" && row.open === 0;
		},
		END_TIMEOUT_MS,
		"the campaign has not ended",
	);
}

interface Expected {
	readonly recipients: number;
	readonly units: number;
}

async function wrongSums(
	trial: Trial,
	tenant: Tenant,
	expected: Expected,
): Promise<string[]> {
	const deadline = Date.now() + SUMS_TIMEOUT_MS;
	for (;;) {
		const wrong = await compareSums(trial, tenant, expected);
		if (wrong.length === 0 || Date.now() > deadline) return wrong;
		await delay(POLL_MS);
	}
}

/** Every recipient has one message and one debit; nothing of a grant is kept back for campaigns that are over. */
async function compareSums(
	{ target }: Trial,
	{ organizationId }: Tenant,
	{ recipients, units }: Expected,
): Promise<string[]> {
	const [row] = await target.sql`
		select
			count(*)::int as messages,
			count(distinct recipient)::int as recipients,
			(
				select count(*)::int
				from campaigns.recipients as r
				join campaigns.campaigns as c on c.id = r.campaign_id
				where c.organization_id = ${organizationId}
				and r.message_id is not null
			) as named,
			(
				select count(*)::int
				from campaigns.quota_shares
				where organization_id = ${organizationId}
			) as shares,
			(
				select count(*)::int
				from campaigns.sent_batches
				join campaigns.campaigns as c on c.id = campaign_id
				where c.organization_id = ${organizationId}
			) as batches
		from messaging.messages
		where organization_id = ${organizationId}
	`;
	const { balance, ledger } = await readAccounting(target.sql, organizationId);
	const found = { ...row, balance, ledger };
	const left = units - recipients;
	const expected = {
		messages: recipients,
		recipients,
		named: recipients,
		shares: 0,
		batches: 0,
		balance: left,
		ledger: left,
	};
	return JSON.stringify(found) === JSON.stringify(expected)
		? []
		: [`${JSON.stringify(expected)} expected, ${JSON.stringify(found)} found`];
}

/** Only processes that do not deliver were killed: every message went once. */
async function wrongSubmits({ target }: Trial, keys: string[]) {
	const taken = await target.operatorLog.read();
	const wrong = keys.filter((key) => taken.get(key) !== 1);
	return wrong.length === 0
		? []
		: [`${wrong.length} recipients were not sent to once: ${wrong[0]}`];
}
