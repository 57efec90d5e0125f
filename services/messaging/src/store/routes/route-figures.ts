import type { Queryable } from "@airtower/platform/database/database";

/** Ages of what is outstanding: since so many minutes, up to so many. */
export const AGES = ["0-5m", "5m-1h", "1h-6h", "6h-48h"] as const;
type Age = (typeof AGES)[number];

export interface Outcomes {
	readonly submitted: number;
	readonly delivered: number;
	readonly failed: number;
}

/** Of a route: messages without a receipt by the time since their submission, and what became of the latest. */
export interface RouteFigures {
	readonly route: string;
	readonly outstanding: Readonly<Record<Age, number>>;
	/** Submitted within an hour, the last 5 minutes left out: most of their receipts have come. */
	readonly hour: Outcomes;
}

/** Of all routes to which something was submitted in two days. */
export async function readRouteFigures(
	sql: Queryable,
): Promise<RouteFigures[]> {
	const since = (minutes: number) =>
		sql`minute >= now() - ${minutes} * interval '1 minute'`;
	const outstanding = (from: number, to: number) => sql`
		coalesce(sum(greatest(0, submitted - delivered - failed)) filter (where not ${since(from)} and ${since(to)}), 0)
	`;
	const within = sql`${since(65)} and not ${since(5)}`;
	return sql<RouteFigures[]>`
		select
			route,
			json_build_object(
				'0-5m', ${outstanding(-5, 5)},
				'5m-1h', ${outstanding(5, 60)},
				'1h-6h', ${outstanding(60, 360)},
				'6h-48h', ${outstanding(360, 2_880)}
			) as outstanding,
			json_build_object(
				'submitted', coalesce(sum(submitted) filter (where ${within}), 0),
				'delivered', coalesce(sum(delivered) filter (where ${within}), 0),
				'failed', coalesce(sum(failed) filter (where ${within}), 0)
			) as hour
		from route_minutes
		group by route
	`;
}

/**
 * Of a route and the numbers of one country: since the beginning of the last full hour, and in the week before that.
 */
export interface PrefixFigures {
	readonly route: string;
	/** Calling code of the country; empty for numbers that were erased. */
	readonly prefix: string;
	readonly hour: Outcomes;
	readonly week: Outcomes;
}

/** @param route undefined for all routes */
export async function readPrefixFigures(
	sql: Queryable,
	route?: string,
): Promise<PrefixFigures[]> {
	const isRecent = sql`hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'`;
	const sums = (where: typeof isRecent) => sql`
		json_build_object(
			'submitted', coalesce(sum(submitted) filter (where ${where}), 0),
			'delivered', coalesce(sum(delivered) filter (where ${where}), 0),
			'failed', coalesce(sum(failed) filter (where ${where}), 0)
		)
	`;
	return sql<PrefixFigures[]>`
		select
			route,
			prefix,
			${sums(isRecent)} as hour,
			${sums(sql`not ${isRecent}`)} as week
		from route_prefix_hours
		where hour >= date_trunc('hour', now(), 'UTC') - interval '7 days 1 hour'
		${route === undefined ? sql`` : sql`and route = ${route}`}
		group by route, prefix
		order by route, prefix
	`;
}
