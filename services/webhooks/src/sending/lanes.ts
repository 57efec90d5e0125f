import {
	type Candidate,
	type Share,
	shareSlots,
} from "../domain/fair-share.ts";
import { isSuspect, nextWindow, START_WINDOW } from "../domain/send-window.ts";
import type { Target } from "../store/deliveries.ts";

export interface LaneLimits {
	/** Attempts under way in this process. */
	readonly maxInFlight: number;
	/** Attempts under way to one endpoint. */
	readonly maxPerEndpoint: number;
}

interface Lane {
	readonly endpointId: string;
	readonly organizationId: string;
	window: number;
	inFlight: number;
	/** Deliveries may be due. */
	ready: boolean;
	/** Counts the announcements of work, so that one that comes during a claim is not forgotten. */
	news: number;
	/** Nothing starts before this time, on the caller's clock, ms. */
	pausedUntil: number;
}

export interface Lanes {
	/** Endpoints may have due deliveries. */
	announce(targets: readonly Target[]): void;
	/** Deals the free slots among the endpoints with work, and reserves them until `taken`. */
	plan(maxSlots: number, nowMs: number): Share[];
	/** Tells how many of a plan's slots were used, per endpoint; gives the rest back. */
	taken(plan: readonly Share[], counts: ReadonlyMap<string, number>): void;
	/** One attempt ended: `ok` widens the endpoint's window, else it halves. */
	ended(endpointId: string, ok: boolean, pausedUntilMs?: number): void;
	inFlight(): number;
	/** True when a plan made now is worth a claim: half of the endpoint's window is free. */
	hasRoomForWork(endpointId: string): boolean;
}

/** Share of all slots that endpoints with recent failures may hold together, ... */
const SUSPECT_SHARE = 0.5;
/** ... and the part of it that they are dealt before the others: else they would wait for as long as others flood. */
const RESERVED_SHARE = 0.125;
/** Idle endpoints whose narrowed window is remembered. */
const MAX_REMEMBERED = 10_000;

/** What this process has under way, by endpoint: the memory behind fair claiming. */
export function createLanes(limits: LaneLimits): Lanes {
	const lanes = new Map<string, Lane>();
	const newsAtPlan = new Map<string, number>();
	const startWindow = Math.min(START_WINDOW, limits.maxPerEndpoint);
	let inFlight = 0;

	function laneOf(target: Target): Lane {
		const known = lanes.get(target.endpointId);
		if (known !== undefined) return known;
		const lane: Lane = {
			...target,
			window: startWindow,
			inFlight: 0,
			ready: false,
			news: 0,
			pausedUntil: 0,
		};
		lanes.set(target.endpointId, lane);
		return lane;
	}

	function candidates(suspect: boolean, nowMs: number): Candidate[] {
		return [...lanes.values()]
			.filter(
				(lane) =>
					lane.ready &&
					lane.pausedUntil <= nowMs &&
					suspected(lane) === suspect,
			)
			.map((lane) => ({ ...lane, room: lane.window - lane.inFlight }));
	}

	/** A single slot cannot be divided: all endpoints take turns at it. */
	function suspected(lane: Lane): boolean {
		return (
			limits.maxInFlight > 1 && isSuspect(lane.window, limits.maxPerEndpoint)
		);
	}

	function heldBySuspects(): number {
		let held = 0;
		for (const lane of lanes.values())
			if (suspected(lane)) held += lane.inFlight;
		return held;
	}

	/** Slots of a share of all; one at least. */
	function shareOfAll(share: number): number {
		return Math.max(1, Math.floor(limits.maxInFlight * share));
	}

	function reserve(share: Share): void {
		const lane = lanes.get(share.endpointId);
		if (lane === undefined) return;
		lane.inFlight += share.slots;
		inFlight += share.slots;
		newsAtPlan.set(lane.endpointId, lane.news);
		moveToEnd(lane);
	}

	function moveToEnd(lane: Lane): void {
		lanes.delete(lane.endpointId);
		lanes.set(lane.endpointId, lane);
	}

	function release(lane: Lane, slots: number): void {
		lane.inFlight -= slots;
		inFlight -= slots;
		if (lane.inFlight > 0 || lane.ready) return;
		if (!suspected(lane) || lanes.size > MAX_REMEMBERED)
			lanes.delete(lane.endpointId);
	}

	return {
		announce: (targets) => {
			for (const target of targets) {
				const lane = laneOf(target);
				lane.ready = true;
				lane.news++;
			}
		},
		plan: (maxSlots, nowMs) => {
			const free = Math.min(maxSlots, limits.maxInFlight - inFlight);
			const suspects = candidates(true, nowMs);
			const held = heldBySuspects();
			const early = Math.min(free, shareOfAll(RESERVED_SHARE) - held);
			const reserved = slotsOf(shareSlots(suspects, early));
			const healthy = shareSlots(candidates(false, nowMs), free - reserved);
			const left = free - slotsOf(healthy);
			const doubtful = shareSlots(
				suspects,
				Math.min(left, shareOfAll(SUSPECT_SHARE) - held),
			);
			const plan = [...healthy, ...doubtful];
			plan.forEach(reserve);
			return plan;
		},
		taken: (plan, counts) => {
			for (const share of plan) {
				const lane = lanes.get(share.endpointId);
				if (lane === undefined) continue;
				const unused = share.slots - (counts.get(share.endpointId) ?? 0);
				if (unused > 0 && lane.news === newsAtPlan.get(share.endpointId))
					lane.ready = false;
				newsAtPlan.delete(share.endpointId);
				release(lane, unused);
			}
		},
		ended: (endpointId, ok, pausedUntilMs = 0) => {
			const lane = lanes.get(endpointId);
			if (lane === undefined) return;
			lane.window = nextWindow(lane.window, ok, limits.maxPerEndpoint);
			lane.pausedUntil = Math.max(lane.pausedUntil, pausedUntilMs);
			release(lane, 1);
		},
		inFlight: () => inFlight,
		hasRoomForWork: (endpointId) => {
			const lane = lanes.get(endpointId);
			return lane?.ready === true && lane.inFlight * 2 <= lane.window;
		},
	};
}

function slotsOf(shares: readonly Share[]): number {
	return shares.reduce((sum, { slots }) => sum + slots, 0);
}
