import { type buildConnector, Pool } from "undici";

export interface OriginPools {
	find(origin: string): Pool;
	close(): Promise<void>;
}

const MAX_ORIGINS = 1_000;
const OPTIONS = {
	allowH2: false,
	pipelining: 1,
	// Sooner than common servers: few requests meet a connection that is just being closed.
	keepAliveTimeout: 4_000,
	headersTimeout: 0,
	bodyTimeout: 0,
};

/** The least recently used pool is closed, once its requests are over, to make room. */
export function createOriginPools(
	connect: buildConnector.connector,
): OriginPools {
	const pools = new Map<string, Pool>();

	function evictOldest(): void {
		const oldest = pools.entries().next().value;
		if (oldest === undefined || pools.size <= MAX_ORIGINS) return;
		pools.delete(oldest[0]);
		oldest[1].close().catch(() => {});
	}

	return {
		find: (origin) => {
			const pool =
				pools.get(origin) ?? new Pool(origin, { ...OPTIONS, connect });
			pools.delete(origin);
			pools.set(origin, pool);
			evictOldest();
			return pool;
		},
		close: async () => {
			await Promise.all([...pools.values()].map((pool) => pool.destroy()));
			pools.clear();
		},
	};
}
