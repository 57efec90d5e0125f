import { setTimeout as delay } from "node:timers/promises";
import {
	Health,
	HealthCheckResponse_ServingStatus as Status,
} from "@airtower/proto/grpc/health/v1/health";
import type { ServiceImpl } from "@connectrpc/connect";
import { DomainError } from "../../runtime/domain-error.ts";
import { isConfirmed } from "../../runtime/is-confirmed.ts";

const WATCH_INTERVAL_MS = 1_000;
const WHOLE_SERVER = "";

export interface HealthOptions {
	readonly services: readonly string[];
	readonly isHealthy: () => Promise<boolean>;
	readonly closing: AbortSignal;
}

/** The standard health service, grpc.health.v1: one health for the server and all its services. */
export function createHealth(
	options: HealthOptions,
): ServiceImpl<typeof Health> {
	const { closing } = options;
	const names = [WHOLE_SERVER, ...options.services, Health.typeName];
	const isHealthy = shared(() => isConfirmed(options.isHealthy));

	async function status(): Promise<Status> {
		if (closing.aborted) return Status.NOT_SERVING;
		return (await isHealthy()) && !closing.aborted
			? Status.SERVING
			: Status.NOT_SERVING;
	}

	return {
		async check({ service }) {
			if (!names.includes(service))
				throw new DomainError({
					kind: "not_found",
					reason: "unknown_service",
					message: "This server does not serve that service.",
				});
			return { status: await status() };
		},

		async list() {
			const now = { status: await status() };
			return { statuses: Object.fromEntries(names.map((name) => [name, now])) };
		},

		async *watch({ service }, context) {
			const ended = AbortSignal.any([context.signal, closing]);
			let last: Status | undefined;
			while (!context.signal.aborted) {
				const now = names.includes(service)
					? await status()
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
