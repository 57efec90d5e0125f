import postgres from "postgres";
import { type Bench, untilNone } from "./bench.ts";

/** Where the load's numbers begin; three digits follow that differ. */
const LOAD_PREFIX = "+3361";
const PREFIXES_OF_THE_LOAD = 1_000;
const CONNECT_TIMEOUT_MS = 120_000;

export interface ManyRoutes {
	/** From 1 on; those beside the first go to the same simulated operator. */
	readonly routes: number;
	/** Prefixes with rules, of which every second one is shared by two routes. */
	readonly prefixes: number;
}

/** Spreads what the load sends over routes, by rules for prefixes; all of them are connected when it resolves. */
export async function addManyRoutes(
	{ system, admin }: Pick<Bench, "system" | "admin">,
	{ routes, prefixes }: ManyRoutes,
): Promise<void> {
	if (system.smsc === undefined) throw new Error("The system has no operator.");
	const { username, password, host } = new URL(system.smsc.smppUrl);
	const settings = {
		address: `smpp://${username}@${host}`,
		password,
		window: "50",
	};
	const added = Array.from({ length: routes - 1 }, (_, nth) => `route${nth}`);
	for (const code of added)
		await admin.addRoute({ code, kind: "smpp", settings });
	const { routes: all } = await admin.listRoutes({});
	await storeRules(
		system.adminDatabaseUrl,
		all.map(({ code }) => code),
		prefixes,
	);
	await untilNone("routes are not connected", CONNECT_TIMEOUT_MS, async () => {
		const { routes: now } = await admin.listRoutes({});
		return routes - now.filter(({ connections }) => connections > 0).length;
	});
}

/**
 * Straight into the tables: each change by an admin makes every process read all rules. Nothing is analyzed: the other
 * tables are still empty, and plans for empty tables would be measured.
 */
async function storeRules(
	url: string,
	codes: readonly string[],
	prefixes: number,
): Promise<void> {
	const sql = postgres(url, { max: 1 });
	try {
		await sql`
			with version as (
				insert into messaging.route_rule_versions (version)
				values (1)
				returning version
			),
			prefix as (
				select
					nth,
					case
						when nth < ${PREFIXES_OF_THE_LOAD} then ${LOAD_PREFIX} || lpad(nth::text, 3, '0')
						else '+4915' || lpad(nth::text, 5, '0')
					end as prefix
				from generate_series(0, ${prefixes - 1}) as nth
				union all
				select ${prefixes}, ''
			)
			insert into messaging.route_rules (prefix, route, priority, weight, since_version)
			select prefix, (${[...codes]}::text[])[1 + (nth + share) % ${codes.length}], 1, 1, version
			from version
			cross join prefix
			cross join generate_series(0, 1) as share
			where share <= least(nth % 2, ${codes.length - 1})
		`;
	} finally {
		await sql.end();
	}
}
