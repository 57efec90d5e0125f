export interface Candidate {
	readonly endpointId: string;
	readonly organizationId: string;
	readonly freeSlots: number;
}

export interface Share {
	readonly endpointId: string;
	readonly slots: number;
}

/**
 * Deals slots one by one, to organizations in rotation, and within one to its endpoints: neither many endpoints nor long
 * queues get more. Where a thousand endpoints hang that nobody knows to hang, none takes several at once.
 */
export function shareSlots(
	candidates: readonly Candidate[],
	total: number,
): Share[] {
	const ready = candidates.filter(({ freeSlots }) => freeSlots > 0);
	const byOrganization = Map.groupBy(ready, (one) => one.organizationId);
	const queues = [...byOrganization.values()];
	const shares = new Map<string, number>();
	let left = total;
	for (let queue = queues.shift(); queue && left > 0; queue = queues.shift()) {
		const next = queue.shift();
		if (next === undefined) continue;
		left--;
		shares.set(next.endpointId, (shares.get(next.endpointId) ?? 0) + 1);
		if (next.freeSlots > 1)
			queue.push({ ...next, freeSlots: next.freeSlots - 1 });
		if (queue.length > 0) queues.push(queue);
	}
	return [...shares].map(([endpointId, slots]) => ({ endpointId, slots }));
}
