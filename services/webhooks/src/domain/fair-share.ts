/** An endpoint that has work and room for more attempts. */
export interface Candidate {
	readonly endpointId: string;
	readonly organizationId: string;
	/** Attempts it may start now. */
	readonly room: number;
}

export interface Share {
	readonly endpointId: string;
	readonly slots: number;
}

/** Slots dealt in one turn: large enough that a deal is short, small enough to be fair. */
const DEAL = 8;

/**
 * Deals `total` slots in turns: one endpoint of each organization per turn, and within an
 * organization each endpoint in turn. So neither many endpoints nor long queues buy a larger share.
 * Candidates are served in the order given; the caller rotates it.
 */
export function shareSlots(
	candidates: readonly Candidate[],
	total: number,
): Share[] {
	const turns = [...byOrganization(candidates).values()];
	const shares = new Map<string, number>();
	let left = total;
	for (let turn = turns.shift(); turn && left > 0; turn = turns.shift()) {
		const next = turn.shift();
		if (next === undefined) continue;
		const slots = Math.min(DEAL, next.room, left);
		left -= slots;
		shares.set(next.endpointId, (shares.get(next.endpointId) ?? 0) + slots);
		if (next.room > slots) turn.push({ ...next, room: next.room - slots });
		if (turn.length > 0) turns.push(turn);
	}
	return [...shares].map(([endpointId, slots]) => ({ endpointId, slots }));
}

function byOrganization(
	candidates: readonly Candidate[],
): Map<string, Candidate[]> {
	const groups = new Map<string, Candidate[]>();
	for (const candidate of candidates) {
		if (candidate.room <= 0) continue;
		const group = groups.get(candidate.organizationId);
		if (group === undefined) groups.set(candidate.organizationId, [candidate]);
		else group.push(candidate);
	}
	return groups;
}
