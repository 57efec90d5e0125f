import { expect } from "vitest";
import type { TestMessaging } from "./messaging.ts";

type Stores = Pick<TestMessaging, "sql" | "ledger">;

export async function storedCount(
	{ sql }: Stores,
	organizationId: string,
): Promise<number> {
	const rows = await sql`
		select
		from messages
		where organization_id = ${organizationId}
	`;
	return rows.count;
}

/** What is stored has been paid for and is queued, and nothing else. */
export async function expectExact(
	stores: Stores,
	organizationId: string,
	quota: number,
): Promise<void> {
	const count = await storedCount(stores, organizationId);
	expect(stores.ledger.balances.get(organizationId)).toBe(quota - count);
	const queued = await stores.sql`
		select
		from dispatch
		where organization_id = ${organizationId}
	`;
	expect(queued.count).toBe(count);
}
