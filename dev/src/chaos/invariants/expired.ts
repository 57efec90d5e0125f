import type { Trial } from "../trial.ts";

/** `<tag> <recipient>` of messages that were submitted twice, had no response, and ended at their deadline. */
export async function findExpired({
	tenants,
	target: { sql },
}: Trial): Promise<ReadonlySet<string>> {
	const organizations = [tenants.a, tenants.b].map(
		(each) => each.organizationId,
	);
	const rows = await sql<{ key: string }[]>`
		select substring(body from '#[a-z0-9-]+#') || ' ' || recipient as key
		from messaging.messages
		where organization_id = any (${organizations})
		and reason = 'expired'
		and possible_duplicate
	`;
	return new Set(rows.map(({ key }) => key));
}
