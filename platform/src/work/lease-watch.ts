/** A lease of another process, as it was when it was read. */
export interface SeenLease {
	readonly token: string;
	/** The database's text for a time that every renewal changes. */
	readonly renewedAt: string;
	readonly leaseMs: number;
}

export interface LeaseWatch {
	/** Those that this process has seen unchanged for their length, by its own monotonic clock: other clocks jump. */
	findSilent(seen: readonly SeenLease[]): SeenLease[];
}

export function createLeaseWatch(): LeaseWatch {
	let firstSeen = new Map<string, number>();
	return {
		findSilent(seen) {
			const at = performance.now();
			const earlier = firstSeen;
			firstSeen = new Map(
				seen.map(toName).map((name) => [name, earlier.get(name) ?? at]),
			);
			return seen.filter((lease) => {
				const since = firstSeen.get(toName(lease)) ?? at;
				return at - since >= lease.leaseMs;
			});
		},
	};
}

function toName({ token, renewedAt }: SeenLease): string {
	return `${token} ${renewedAt}`;
}
