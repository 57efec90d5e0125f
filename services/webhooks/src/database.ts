import { connectDatabase, type Db } from "@airtower/platform/database";

export interface DatabaseSettings {
	readonly url: string;
	readonly schema: string;
	readonly poolSize: number;
}

/**
 * Every query of this service finds its rows by index, a few hundred at a time. Left to itself, the
 * planner takes a list parameter in a cached plan for a guess, and may then read a table of millions
 * of deliveries to find ten, or compile for longer than the query runs.
 */
const PLANS_BY_INDEX = {
	enable_seqscan: "off",
	enable_bitmapscan: "off",
	enable_hashjoin: "off",
	enable_mergejoin: "off",
	jit: "off",
} as const;

/** Opens the service's pool. */
export function openDatabase(settings: DatabaseSettings): Db {
	const url = new URL(settings.url);
	for (const [name, value] of Object.entries(PLANS_BY_INDEX))
		url.searchParams.set(name, value);
	return connectDatabase({
		...settings,
		url: url.href,
		applicationName: "webhooks",
	});
}
