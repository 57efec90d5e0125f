import { readCloudApiSends } from "../oracles/cloud-api-sends.ts";
import { WINDOW } from "../target/settings.ts";
import type { Trial } from "../trial.ts";
import { findExpired } from "./expired.ts";
import { complaint, type Invariant } from "./invariant.ts";

/** The operator acts these out as not delivered. */
const UNDELIVERABLE = "0002";

interface WhatsappEnd {
	readonly id: string;
	readonly status: string;
	readonly errorCode: string | null;
}

/** I3, and more than it says: once the system is quiet every message has the end that its number asks for. */
export const nothingIsStuck: Invariant = {
	name: "I3",
	waits: true,
	check: async (trial) => [
		...(await wrongEnds(trial)),
		...(await tooManyExpired(trial)),
		...(await wrongEndsOfWhatsapp(trial)),
		...(await openCampaigns(trial)),
	],
};

async function wrongEnds({ tenants, target: { sql } }: Trial) {
	const organizations = [tenants.a, tenants.b].map(
		(each) => each.organizationId,
	);
	const rows = await sql<{ id: string; status: string }[]>`
		select id, status
		from messaging.messages
		where organization_id = any (${organizations})
		and status <> case
			when right(recipient, 4) = ${UNDELIVERABLE} then 'failed'
			else 'delivered'
		end
		and not (status = 'failed' and reason = 'expired' and possible_duplicate)
	`;
	return complaint(
		"SMS not at their end",
		rows.map(({ id, status }) => `${id} ${status}`),
	);
}

/** Both submits of a message may have lost their responses: it is not guessed, and ends at its deadline. */
async function tooManyExpired(trial: Trial) {
	const expired = await findExpired(trial);
	return expired.size > trial.lostWindows * WINDOW
		? [`${expired.size} expired for ${trial.lostWindows} windows`]
		: [];
}

/** What a crash left unknown is given up at its deadline, and only where the Cloud API never took it. */
async function wrongEndsOfWhatsapp(trial: Trial) {
	const { tenants, load, target } = trial;
	const rows = await target.sql<WhatsappEnd[]>`
		select id, status, error_code as "errorCode"
		from whatsapp.messages
		where id = any (${load.ledger.messageIds(tenants.w)})
		and status not in ('delivered', 'read')
	`;
	const sends = await readCloudApiSends(target.system);
	const isGivenUp = ({ id, errorCode }: WhatsappEnd) =>
		errorCode === "operator_error" && !sends.has(id);
	const wrong = rows.filter((row) => !isGivenUp(row));
	const givenUp = rows.length - wrong.length;
	return [
		...complaint(
			"WhatsApp messages not at their end",
			wrong.map(({ id, status }) => `${id} ${status}`),
		),
		...(givenUp > trial.lostWindows * WINDOW
			? [
					`${givenUp} WhatsApp messages given up for ${trial.lostWindows} windows`,
				]
			: []),
	];
}

async function openCampaigns({ tenants, target: { sql } }: Trial) {
	const organizations = [tenants.a, tenants.b].map(
		(each) => each.organizationId,
	);
	const rows = await sql<{ id: string; status: string; sent: string }[]>`
		select id, status, delivered || ' of ' || audience as sent
		from campaigns.campaigns
		where organization_id = any (${organizations})
		and (
			status not in ('completed', 'completed_with_errors')
			or delivered + failed <> audience
			or failed <> (
				select count(*)
				from messaging.messages
				where campaign_id = campaigns.id
				and reason = 'expired'
			)
		)
	`;
	return complaint(
		"campaigns not complete",
		rows.map(({ id, status, sent }) => `${id} ${status} ${sent}`),
	);
}

/** I7: no status ever moves backwards; the database has judged every change. */
export const neverBackwards: Invariant = {
	name: "I7",
	check: async ({ target: { sql } }) => {
		const rows = await sql<{ id: string; was: string; becomes: string }[]>`
			select *
			from chaos.backwards
		`;
		return complaint(
			"statuses went backwards",
			rows.map(({ id, was, becomes }) => `${id} from ${was} to ${becomes}`),
		);
	},
};
