export interface Candidate {
	readonly endpointId: string;
	readonly organizationId: string;
	readonly room: number;
}

export interface Share {
	readonly endpointId: string;
	readonly slots: number;
}

const DEAL = 8;

/** In turns over organizations, then their endpoints: neither many endpoints nor long queues buy a larger share. */
export function shareSlots(
	candidates: readonly Candidate[],
	total: number,
): Share[] {
	const ready = candidates.filter(({ room }) => room > 0);
	const byOrganization = Map.groupBy(ready, (one) => one.organizationId);
	const turns = [...byOrganization.values()];
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
