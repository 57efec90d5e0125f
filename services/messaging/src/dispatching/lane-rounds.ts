import {
	type GroupShares,
	GroupTurns,
} from "@airtower/platform/work/group-turns";
import {
	LANES,
	type Lane,
	type LaneLimits,
	LaneShares,
	OTP,
} from "../domain/lanes.ts";
import type {
	ClaimedMessage,
	DueOrganization,
	LaneStart,
	OrganizationShare,
} from "../store/dispatch/dispatch-claims.ts";

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
		const listed = await this.#options.list(starts);
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
