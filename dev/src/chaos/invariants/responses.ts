import { complaint, type Invariant } from "./invariant.ts";

/** I1: every id that a client saw accepted is in PostgreSQL, in its organization. */
export const acceptedIsStored: Invariant = {
	name: "I1",
	check: async ({ load, target: { sql } }) => {
		const accepted = load.ledger.sent.flatMap(({ ids, tenant, channel }) =>
			[...ids].map((id) => ({ id, channel, of: tenant.organizationId })),
		);
		const rows = await sql<{ id: string }[]>`
			select told.id
			from unnest(
				${accepted.map(({ id }) => id)}::uuid[],
				${accepted.map(({ of }) => of)}::uuid[]
			) as told (id, organization_id)
			where not exists (
				select from messaging.messages as m
				where m.id = told.id and m.organization_id = told.organization_id
			)
			and not exists (
				select from whatsapp.messages as m
				where m.id = told.id and m.organization_id = told.organization_id
			)
			and not exists (
				select from campaigns.campaigns as c
				where c.id = told.id and c.organization_id = told.organization_id
			)
		`;
		return complaint(
			"accepted and not stored",
			rows.map(({ id }) => id),
		);
	},
};

/** I8: one key, one effect, one response; and no response that a client should never see. */
export const oneKeyOneEffect: Invariant = {
	name: "I8",
	check: async ({ load: { ledger }, tenants, target: { sql } }) => {
		const severalResponses = ledger.sent.filter(({ ids }) => ids.size !== 1);
		const organizations = [tenants.a, tenants.b].map(
			(each) => each.organizationId,
		);
		const stored = await sql<{ id: string }[]>`
			select id
			from messaging.messages
			where organization_id = any (${organizations})
			and campaign_id is null
		`;
		const known = new Set(ledger.messageIds());
		const [campaigns] = await sql<{ count: number }[]>`
			select count(*)::int as count
			from campaigns.campaigns
			where organization_id = any (${organizations})
		`;
		const expected = ledger.sent.filter(
			({ channel }) => channel === "campaign",
		);
		return [
			...ledger.surprises,
			...complaint(
				"keys without exactly one response",
				severalResponses.map(({ key }) => key),
			),
			...complaint(
				"messages stored that no response names",
				stored.map(({ id }) => id).filter((id) => !known.has(id)),
			),
			...(campaigns?.count === expected.length
				? []
				: [`${campaigns?.count} campaigns stored for ${expected.length} keys`]),
		];
	},
};
