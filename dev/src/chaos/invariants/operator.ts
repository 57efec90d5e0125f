import { readCloudApiSends } from "../oracles/cloud-api-sends.ts";
import { partKey } from "../oracles/operator-log.ts";
import { WINDOW } from "../target/settings.ts";
import type { Trial } from "../trial.ts";
import { findExpired } from "./expired.ts";
import { complaint, type Invariant } from "./invariant.ts";

interface ExpectedPart {
	readonly key: string;
	readonly tag: string;
	readonly recipient: string;
}

/** I4: the operator's own log holds every part of every accepted message that has not expired. */
export const operatorHasAll: Invariant = {
	name: "I4",
	waits: true,
	check: async (trial) => {
		const taken = await trial.target.operatorLog.read();
		const expired = await findExpired(trial);
		const missing = expectedParts(trial).filter(
			({ key, tag, recipient }) =>
				!taken.has(key) && !expired.has(`${tag} ${recipient}`),
		);
		return complaint(
			"parts that the operator never got",
			missing.map(({ key }) => key),
		);
	},
};

/** I5: what came twice is within a window for each crash, and marked; no WhatsApp message is ever sent twice. */
export const repeatsAreMarked: Invariant = {
	name: "I5",
	check: async (trial) => {
		const repeats = await repeatedParts(trial);
		const limit = trial.lostWindows * WINDOW;
		const extra = repeats.reduce((sum, { times }) => sum + times - 1, 0);
		const marked = await markedMessages(trial);
		const unmarked = repeats.filter(
			({ tag, recipient }) => !marked.has(`${tag} ${recipient}`),
		);
		return [
			...(extra <= limit
				? []
				: [`${extra} submits too many for ${trial.lostWindows} windows`]),
			...complaint(
				"repeated and not marked",
				unmarked.map(({ key }) => key),
			),
			...(await repeatedWhatsapp(trial)),
		];
	},
};

/** Submits beyond one for each part, all of them marked. */
export async function countExtraSubmits(trial: Trial): Promise<number> {
	const repeats = await repeatedParts(trial);
	return repeats.reduce((sum, { times }) => sum + times - 1, 0);
}

async function repeatedParts(trial: Trial) {
	const taken = await trial.target.operatorLog.read();
	return expectedParts(trial)
		.map((part) => ({ ...part, times: taken.get(part.key) ?? 0 }))
		.filter(({ times }) => times > 1);
}

function expectedParts({ load }: Trial): ExpectedPart[] {
	return load.ledger.sent
		.filter(({ channel }) => channel !== "whatsapp")
		.flatMap(({ tag, recipients, parts }) =>
			recipients.flatMap((recipient) =>
				Array.from({ length: parts }, (_, at) => ({
					tag,
					recipient,
					key: partKey(tag, recipient, at + 1),
				})),
			),
		);
}

async function markedMessages({ tenants, target: { sql } }: Trial) {
	const organizations = [tenants.a, tenants.b].map(
		(each) => each.organizationId,
	);
	const rows = await sql<{ key: string }[]>`
		select substring(body from '#[a-z0-9-]+#') || ' ' || recipient as key
		from messaging.messages
		where organization_id = any (${organizations})
		and possible_duplicate
	`;
	return new Set(rows.map(({ key }) => key));
}

/** The Cloud API has no idempotency key: what a crash leaves unknown never goes again. */
async function repeatedWhatsapp({ load, tenants, target }: Trial) {
	const times = await readCloudApiSends(target.system);
	const ids = load.ledger.messageIds(tenants.w);
	return complaint(
		"WhatsApp messages sent more than once",
		ids.filter((id) => (times.get(id) ?? 0) > 1),
	);
}
