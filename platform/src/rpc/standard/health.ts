import { setTimeout as delay } from "node:timers/promises";
import {
	Health,
	HealthCheckResponse_ServingStatus as Status,
} from "@airtower/proto/grpc/health/v1/health";
import type { ServiceImpl } from "@connectrpc/connect";
import { notFound } from "../../runtime/domain-error.ts";
import { isConfirmed } from "../../runtime/is-confirmed.ts";

const WATCH_INTERVAL_MS = 1_000;
const WHOLE_SERVER = "";
/** Serving while the server can store something now: probes that take servers out of rotation ask for another name. */
export const STORAGE = "airtower.storage";

interface HealthOptions {
	readonly services: readonly string[];
	readonly isHealthy: () => Promise<boolean>;
	readonly canStore: () => Promise<boolean>;
	readonly closing: AbortSignal;
}

/** The standard health service, grpc.health.v1: one health for the server and all its services, one for its storage. */
export function createHealth(
	options: HealthOptions,
): ServiceImpl<typeof Health> {
	const { closing } = options;
	const names = [WHOLE_SERVER, ...options.services, Health.typeName, STORAGE];
	const isHealthy = shared(() => isConfirmed(options.isHealthy));
	const canStore = shared(() => isConfirmed(options.canStore));

	async function statusOf(name: string): Promise<Status> {
		// Of a server that closes too: it says nothing of its database, which others use on.
		const isServing =
			name === STORAGE
				? await canStore()
				: !closing.aborted && (await isHealthy()) && !closing.aborted;
		return isServing ? Status.SERVING : Status.NOT_SERVING;
	}

	return {
		async check({ service }) {
			if (!names.includes(service))
				throw notFound(
					"unknown_service",
					"This server does not serve that service.",
				);
			return { status: await statusOf(service) };
		},

		async list() {
			const statuses = names.map(
				async (name) => [name, { status: await statusOf(name) }] as const,
			);
			return { statuses: Object.fromEntries(await Promise.all(statuses)) };
		},

		async *watch({ service }, context) {
			const ended = AbortSignal.any([context.signal, closing]);
			let last: Status | undefined;
			while (!context.signal.aborted) {
				const now = names.includes(service)
					? await statusOf(service)
					: Status.SERVICE_UNKNOWN;
				if (now !== last) yield { status: now };
				last = now;
				if (closing.aborted) return;
				await delay(WATCH_INTERVAL_MS, undefined, { signal: ended }).catch(
					() => undefined,
				);
			}
		},
	};
}

function shared<T>(check: () => Promise<T>): () => Promise<T> {
	let running: Promise<T> | undefined;
	return () => {
		running ??= check().finally(() => {
			running = undefined;
		});
		return running;
	};
}
