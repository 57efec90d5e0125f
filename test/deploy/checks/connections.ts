import { type Overlay, ofKind } from "../manifest.ts";
import type { Secrets } from "../secrets.ts";
import { settingsOf } from "../settings.ts";
import { workloads } from "../workload.ts";
import { scalersOf } from "./scaling.ts";
import { type Environment, environmentsOf } from "./variables.ts";

/** Beside its pool a service listens for work on a connection of its own. */
const BESIDE_POOL = 1;
/** A migration has a pool of one, and one that holds the lock; before, two ask whether a pooler is in between. */
const OF_MIGRATION = 3;
/** PostgreSQL's `superuser_reserved_connections`. */
const RESERVED = 3;
/** CloudNativePG's own, and those of people. */
const OF_OPERATOR_AND_PEOPLE = 10;

interface Cluster {
	readonly postgresql: {
		readonly parameters: Readonly<Record<string, string>>;
	};
}

/**
 * PostgreSQL has a connection for everybody, with every deployment at its largest and being replaced during a
 * release.
 */
export function connectionFaults(overlay: Overlay, store: Secrets): string[] {
	const needed = environmentsOf(overlay, store)
		.map((environment) => mostConnections(overlay, environment))
		.reduce((sum, one) => sum + one, RESERVED + OF_OPERATOR_AND_PEOPLE);
	return ofKind<Cluster>(overlay, "Cluster").flatMap(({ spec }) => {
		const { parameters } = spec.postgresql;
		const allowed = Number(parameters.max_connections);
		return [
			...(allowed >= needed
				? []
				: [`${needed} connections may be needed, of ${allowed}`]),
			...(parameters.idle_in_transaction_session_timeout
				? []
				: ["a session that is left in a transaction keeps its locks"]),
		];
	});
}

function mostConnections(overlay: Overlay, environment: Environment): number {
	const { workload, service, file, variables } = environment;
	if (file === "migrate") return OF_MIGRATION;
	const config = settingsOf(service, file)?.read(variables) as {
		readonly DATABASE_POOL_SIZE: number;
	};
	return (
		mostPods(overlay, workload) * (config.DATABASE_POOL_SIZE + BESIDE_POOL)
	);
}

function mostPods(overlay: Overlay, workload: string): number {
	const scaler = scalersOf(overlay).find(({ target }) => target === workload);
	const { replicas = 1, maxSurge = 0 } =
		workloads(overlay).find(({ name }) => name === workload) ?? {};
	return (scaler?.max ?? replicas) + maxSurge;
}
