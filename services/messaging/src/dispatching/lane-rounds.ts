import type { Db } from "@airtower/platform/database/database";
import {
	type GroupShares,
	GroupTurns,
	MOST_GROUPS,
} from "@airtower/platform/work/leased-queue";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import {
	LANES,
	type Lane,
	type LaneLimits,
	LaneShares,
	OTP,
} from "../domain/lanes.ts";
import {
	type ClaimedMessage,
	claimMessages,
	type DueOrganization,
	type LaneStart,
	listDueOrganizations,
	type OrganizationShare,
	type RouteClaim,
} from "../store/dispatch/dispatch-claims.ts";
import { type Addressed, findOptedOut } from "../store/opt-outs/opt-outs.ts";

/** Most routes that one statement looks through. */
const MOST_ROUTES = 1_000;

interface DueRequest {
	readonly route: string;
	readonly lanes: readonly LaneStart[];
}

/** Tells which organizations have claimable messages in lanes of a route, at most {@link MOST_GROUPS} of each. */
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
			const due = await listDueOrganizations(sql, starts, MOST_GROUPS);
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

/** Claims that follow one another begin so far apart, ms: those of other routes join. */
const CLAIMS_APART_MS = 50;

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
	return createBatcher({
		maxItems: MOST_ROUTES,
		maxInFlight: 1,
		lingerMs: CLAIMS_APART_MS,
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

interface LaneRoundsOptions {
	/** Organizations with claimable messages in these lanes. */
	readonly list: (lanes: readonly LaneStart[]) => Promise<DueOrganization[]>;
	/** A clock that never goes back, ms. */
	readonly now?: () => number;
}

interface LaneTurn {
	readonly lane: Lane;
	readonly shares: GroupShares;
}

/** Claims of one route: each lane has its share of them, and within a lane organizations take turns. */
export class LaneRounds {
	readonly #options: LaneRoundsOptions;
	readonly #shares = new LaneShares();
	readonly #turns: readonly [GroupTurns, GroupTurns, GroupTurns];

	constructor(options: LaneRoundsOptions) {
		this.#options = options;
		const { now } = options;
		const turns = () => new GroupTurns(now);
		this.#turns = [turns(), turns(), turns()];
	}

	/** A one-time password does not wait until the next list is due, nor does what is the first of its lane. */
	workAnnounced(): void {
		for (const lane of LANES)
			if (lane === OTP || !this.#turns[lane].hasGroups)
				this.#turns[lane].forget();
	}

	/** Most segments of a lane in which messages are known to wait, or of any while none is known. */
	knownOf(most: LaneLimits): number {
		const known = this.#waiting();
		return Math.max(
			...(known.length > 0 ? known : LANES).map((at) => most[at]),
		);
	}

	/** Claims messages of at most so many segments, and of each lane at most so many. */
	async claim<Message extends ClaimedMessage>(
		limit: number,
		most: LaneLimits,
		claim: (organizations: readonly OrganizationShare[]) => Promise<Message[]>,
	): Promise<Message[]> {
		await this.#listDue(LANES.filter((lane) => most[lane] > 0));
		const waiting = this.#waiting();
		const mostOf = (lane: Lane) => (waiting.includes(lane) ? most[lane] : 0);
		const allotted = this.#shares.allot(limit, [
			mostOf(0),
			mostOf(1),
			mostOf(2),
		]);
		const turns = waiting
			.filter((lane) => allotted[lane] > 0)
			.map((lane) => ({
				lane,
				shares: this.#turns[lane].take(allotted[lane]),
			}));
		if (turns.length === 0) return [];
		const messages = await claim(turns.flatMap(toShares));
		this.#count(turns, messages, limit);
		return messages;
	}

	#waiting(): Lane[] {
		return LANES.filter((lane) => this.#turns[lane].hasGroups);
	}

	/** All lanes at once while nothing is known to wait. */
	async #listDue(lanes: readonly Lane[]): Promise<void> {
		const isIdle = this.#waiting().length === 0;
		const due = lanes.filter((lane) => isIdle || this.#turns[lane].isListDue);
		if (due.length === 0) return;
		const starts = due.map((lane) => ({ lane, after: this.#turns[lane].last }));
		const listed = await this.#options.list(starts);
		const byLane = Map.groupBy(listed, ({ lane }) => lane);
		for (const lane of due) {
			const organizations = byLane.get(lane) ?? [];
			this.#turns[lane].list(organizations.map((one) => one.organizationId));
		}
	}

	#count(
		turns: readonly LaneTurn[],
		messages: readonly ClaimedMessage[],
		limit: number,
	): void {
		const isFull = segmentsOf(messages) >= limit;
		const byLane = Map.groupBy(messages, ({ lane }) => lane);
		const ofLane = (lane: Lane) => byLane.get(lane) ?? [];
		this.#shares.tookTogether([
			segmentsOf(ofLane(0)),
			segmentsOf(ofLane(1)),
			segmentsOf(ofLane(2)),
		]);
		for (const { lane, shares } of turns) {
			const own = ofLane(lane);
			const counts = Map.groupBy(own, (message) => message.organizationId);
			const countOf = (id: string) => counts.get(id)?.length ?? 0;
			this.#turns[lane].brought(shares, countOf, isFull);
		}
	}
}

function toShares({ lane, shares }: LaneTurn): OrganizationShare[] {
	const { groups, share } = shares;
	return groups.map((organizationId) => ({ lane, organizationId, share }));
}

function segmentsOf(messages: readonly ClaimedMessage[]): number {
	return messages.reduce((sum, { segments }) => sum + segments, 0);
}
