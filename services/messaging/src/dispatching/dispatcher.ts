import { fault } from "@airtower/platform/runtime/fault";
import { continueSpan, SpanKind } from "@airtower/platform/tracing/spans";
import {
	type GroupShares,
	GroupTurns,
} from "@airtower/platform/work/group-turns";
import { createWorker, type Unsettled } from "@airtower/platform/work/worker";
import type { AttemptContext, Dispatcher } from "../context.ts";
import {
	BULK,
	LANES,
	type Lane,
	type LaneLimits,
	LaneShares,
	OTP,
	toPriority,
} from "../domain/lanes.ts";
import type { Operator } from "../operators/operator.ts";
import {
	type ClaimedMessage,
	type DueOrganization,
	dispatchQueue,
	type LaneStart,
	type OrganizationShare,
} from "../store/dispatch/dispatch-claims.ts";
import {
	attemptMessage,
	type DueMessage,
	findLateResult,
	toUnsent,
} from "./attempt.ts";
import type { SettledAttempt } from "./attempt-rows.ts";
import { createRouteWatch } from "./route-watch.ts";

/**
 * Bulk leaves so much of a window free, as a share of it: what was lent comes back only with the operator's responses,
 * and a one-time password does not wait for one.
 */
const KEPT_FROM_BULK = 1 / 10;

/**
 * From a claim on a crash leaves its messages unknown. Each lane has its share of the claims, and organizations take
 * turns in it.
 * @param mayClaim false while the route is paused
 */
export function createDispatcher(
	ctx: AttemptContext,
	operator: Operator,
	mayClaim: () => boolean = () => true,
): Dispatcher {
	const { sql, log, lease, settler, telemetry } = ctx;
	const { code: route } = operator;
	const watch = createRouteWatch(operator);
	const responseTime = telemetry.responseTime.labels(route);
	const rounds = new LaneRounds((lanes) => ctx.dueLists.add({ route, lanes }));
	const limits = (unsettled: Unsettled): LaneLimits =>
		mayClaim() ? findLimits(operator, unsettled) : [0, 0, 0];
	const worker = createWorker<"messageId", DueMessage, SettledAttempt>({
		sql,
		log,
		lease,
		settler,
		queue: dispatchQueue,
		within: sql`route = ${route}`,
		putBack: sql`, unsent = unsent + 1, unknown = resent, resent = false`,
		window: () => operator.window,
		capacity: (unsettled) => Math.max(...limits(unsettled)),
		knownCapacity: (unsettled) => rounds.knownOf(limits(unsettled)),
		weightOf: ({ segments }) => segments,
		laneOf: ({ lane }) => lane,
		async claim(limit, token, unsettled) {
			const askedAt = performance.now();
			const claimed = await rounds.claim(
				limit,
				limits(unsettled),
				(organizations) =>
					ctx.claims.add({ token, route, organizations, limit }),
			);
			if (claimed.length > 0) fault("messaging.after_claim");
			for (const { attempt, lane, waitedMs } of claimed)
				if (attempt === 1)
					telemetry.laneWait.observe(
						{ lane: toPriority(lane) },
						waitedMs / 1_000,
					);
			return claimed.map((message) => ({
				...message,
				validUntil: askedAt + message.validityMs,
			}));
		},
		startSpan: ({ messageId, attempt, traceparent }) =>
			continueSpan("dispatch", traceparent, {
				kind: SpanKind.CONSUMER,
				attributes: { "messaging.message.id": messageId, attempt, route },
			}),
		attempt: (message, mayWrite) =>
			attemptMessage(ctx, { operator, watch }, message, mayWrite),
		unsent: (message) => toUnsent(ctx, operator, message),
		late: (attempt) => findLateResult(ctx, attempt),
	});
	operator.onCapacity(worker.capacityChanged);
	return {
		...worker,
		operator,
		watch,
		responded(ms) {
			watch.responded(ms);
			responseTime.observe(ms / 1_000);
		},
		workAnnounced() {
			rounds.workAnnounced();
			worker.workAnnounced();
		},
	};
}

/** Segments that each lane may take now. */
function findLimits(
	operator: Pick<Operator, "window" | "capacity">,
	unsettled: Unsettled,
): LaneLimits {
	const { window } = operator;
	const free = window - unsettled.total;
	const kept = Math.floor(window * KEPT_FROM_BULK);
	const freeForBulk = window - kept - unsettled.inLane(BULK);
	const most = (lane: Lane, free: number) =>
		Math.max(0, Math.min(operator.capacity(lane), free));
	return [most(0, free), most(1, free), most(2, Math.min(free, freeForBulk))];
}

/** Finds organizations with claimable messages in these lanes. */
type ListDue = (lanes: readonly LaneStart[]) => Promise<DueOrganization[]>;

interface LaneTurn {
	readonly lane: Lane;
	readonly shares: GroupShares;
}

/** Claims of one route: each lane has its share of them, and within a lane organizations take turns. */
class LaneRounds {
	readonly #list: ListDue;
	readonly #shares = new LaneShares();
	readonly #turns = [
		new GroupTurns(),
		new GroupTurns(),
		new GroupTurns(),
	] as const;

	constructor(list: ListDue) {
		this.#list = list;
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
		await this.#listDue(most);
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

	/** Of those lanes that may take something all at once, while nothing is known to wait. */
	async #listDue(mostOf: LaneLimits): Promise<void> {
		const isIdle = this.#waiting().length === 0;
		const starts = LANES.filter(
			(lane) => mostOf[lane] > 0 && (isIdle || this.#turns[lane].isListDue),
		).map((lane) => {
			const turns = this.#turns[lane];
			return { lane, after: turns.last, most: turns.listLength(mostOf[lane]) };
		});
		if (starts.length === 0) return;
		const listed = await this.#list(starts);
		const byLane = Map.groupBy(listed, ({ lane }) => lane);
		for (const { lane, most } of starts) {
			const organizations = byLane.get(lane) ?? [];
			const ids = organizations.map((one) => one.organizationId);
			this.#turns[lane].list(ids, most);
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
