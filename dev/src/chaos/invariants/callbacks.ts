import type { Tenant } from "../target/tenants.ts";
import type { Trial } from "../trial.ts";
import { complaint, type Invariant } from "./invariant.ts";

/** I6: one event for each outcome at each endpoint, the same one whenever it comes again. */
export const oneEventPerOutcome: Invariant = {
	name: "I6",
	waits: true,
	check: async (trial) => {
		const { a, b, w } = trial.tenants;
		return [
			...(await wrongEvents(trial, a)),
			...(await wrongEvents(trial, b)),
			...(await wrongEvents(trial, w)),
			...(await undelivered(trial)),
		];
	},
};

async function wrongEvents(trial: Trial, tenant: Tenant): Promise<string[]> {
	const { receiver } = trial.target;
	const events = [...receiver.eventsAt(tenant.path).values()];
	const byMessage = receiver.eventsByMessage(tenant.path);
	const ids = await outcomes(trial, tenant);
	const numbers = ids.map((id) => byMessage.get(id)?.length ?? 0);
	return [
		...complaint(
			`outcomes without an event at ${tenant.name}`,
			ids.filter((_, at) => numbers[at] === 0),
		),
		...complaint(
			`outcomes with several events at ${tenant.name}`,
			ids.filter((_, at) => (numbers[at] ?? 0) > 1),
		),
		...complaint(
			`events that changed when they came again at ${tenant.name}`,
			events.filter(({ bodies }) => bodies.size > 1).map(({ id }) => id),
		),
	];
}

/** Messages of which a customer must hear: those of campaigns too. */
async function outcomes(
	{ load, target: { sql } }: Trial,
	tenant: Tenant,
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		select id
		from messaging.messages
		where organization_id = ${tenant.organizationId}
		and campaign_id is not null
	`;
	return [...load.ledger.messageIds(tenant), ...rows.map(({ id }) => id)];
}

/** To endpoints that take everything nothing is waiting, and nothing was given up. */
async function undelivered({ tenants, target: { sql } }: Trial) {
	const urls = Object.values(tenants).map(({ path }: Tenant) => path);
	const rows = await sql<{ state: string; count: number }[]>`
		select state, count(*)::int as count
		from (
			select 'waiting' as state, endpoint_id from webhooks.delivery_queue
			union all
			select 'dead', endpoint_id from webhooks.dead_deliveries
		) as left_over
		join webhooks.endpoints as e on e.id = endpoint_id
		where substring(e.url from '//[^/]+(.*)$') = any (${urls})
		group by state
	`;
	return rows.map(({ state, count }) => `${count} deliveries are ${state}`);
}
