import type { Db } from "@airtower/platform/database/database";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import { LRUCache } from "lru-cache";
import {
	type ClaimedMessage,
	claimMessages,
	type DueOrganization,
	type LaneStart,
	listDueOrganizations,
	type RouteClaim,
} from "../store/dispatch/dispatch-claims.ts";
import { type Addressed, findOptedOut } from "../store/opt-outs/opt-outs.ts";

/** Most routes that one statement looks through. */
const MOST_ROUTES = 1_000;

interface DueRequest {
	readonly route: string;
	readonly lanes: readonly LaneStart[];
}

/** Tells which organizations have claimable messages in lanes of a route. */
export type DueLists = Pick<Batcher<DueRequest, DueOrganization[]>, "add">;

/** Routes of a process that look at the same time share one statement, however many they are. */
export function createDueLists(sql: Db): DueLists {
	return createBatcher({
		maxItems: MOST_ROUTES,
		maxInFlight: 1,
		flush: async (requests) => {
			const starts = requests.flatMap(({ route, lanes }) =>
				lanes.map((start) => ({ ...start, route })),
			);
			const due = await listDueOrganizations(sql, starts);
			const byRoute = Map.groupBy(due, ({ route }) => route);
			return requests.map(({ route }) => onceEach(byRoute.get(route) ?? []));
		},
	});
}

/**
 * A route may ask twice at the same time: a claim would take each message of an organization that is listed twice,
 * twice.
 */
function onceEach(due: readonly DueOrganization[]): DueOrganization[] {
	const byKey = new Map(
		due.map((one) => [`${one.lane} ${one.organizationId}`, one]),
	);
	return [...byKey.values()];
}

/**
 * Claims begin so far apart for each route that has claimed within a second, ms: those of other routes join. A route
 * that is alone does not wait; together routes claim up to 1,000 times a second, however many they are.
 */
const APART_MS = 1;
const LATELY_MS = 1_000;

/** A message as it was when its claim was committed. */
export interface DueClaim extends ClaimedMessage {
	/** Its recipient does not want it. */
	readonly isOptedOut: boolean;
}

interface ClaimRequest extends RouteClaim {
	readonly token: string;
}

/** Claims messages for a route. */
export type Claims = Pick<Batcher<ClaimRequest, DueClaim[]>, "add">;

/**
 * Routes of a process that claim at the same time share one statement, however many they are. Who has opted out is
 * looked up once the claim is committed: so whoever stores an opt-out and looks at the queue after that sees each
 * message that may be sent in spite of it, as one that is on its way.
 */
export function createClaims(sql: Db): Claims {
	const routes = new LRUCache<string, true>({
		max: MOST_ROUTES,
		ttl: LATELY_MS,
	});
	const batcher = createBatcher<ClaimRequest, DueClaim[]>({
		maxItems: MOST_ROUTES,
		maxInFlight: 1,
		lingerMs: () => {
			routes.purgeStale();
			return routes.size > 1 ? routes.size * APART_MS : 0;
		},
		flush: async (requests) => {
			const found = new Map<ClaimRequest, DueClaim[]>();
			for (const [token, claims] of toStatements(requests)) {
				const claimed = await claimMessages(sql, token, claims);
				const optedOut = await findOptedOut(sql, claimed.map(toAddressed));
				const due = claimed.map((message, index) => ({
					...message,
					isOptedOut: optedOut.has(index),
				}));
				const byRoute = Map.groupBy(due, ({ route }) => route);
				for (const claim of claims)
					found.set(claim, byRoute.get(claim.route) ?? []);
			}
			return requests.map((request) => found.get(request) ?? []);
		},
	});
	return {
		add: (request) => {
			routes.set(request.route, true);
			return batcher.add(request);
		},
	};
}

/** A statement has one token, and each route once: a route that is opened anew may ask beside the one before it. */
function toStatements(requests: readonly ClaimRequest[]) {
	const asked = new Map<string, number>();
	const statements = Map.groupBy(requests, ({ token, route }) => {
		const key = `${token} ${route}`;
		const before = asked.get(key) ?? 0;
		asked.set(key, before + 1);
		return `${token} ${before}`;
	});
	return [...statements.values()].map(
		(claims) => [claims[0]?.token ?? "", claims] as const,
	);
}

function toAddressed({ senderValue, ...message }: ClaimedMessage): Addressed {
	return { ...message, sender: senderValue };
}
