import { STORAGE } from "@airtower/platform/rpc/standard/health";
import { HealthCheckResponse_ServingStatus as Serving } from "@airtower/proto/grpc/health/v1/health";
import type { Clients } from "../clients.ts";
import type { Context } from "../context.ts";
import type { HealthWord } from "../health-board.ts";

/** Asks every service whether it can store something and how late it is, for GET /health; returns how many cannot. */
export async function checkHealth(ctx: Context): Promise<number> {
	const { clients, log, telemetry } = ctx;
	const { services, backlogs } = ctx.health;
	const backlogChecks = [...clients.backlogs].map(async ([name, client]) => {
		// One that does not respond is known by its status.
		const found = await client.getBacklog({}).catch(() => undefined);
		if (found !== undefined) backlogs[name] = Math.floor(found.oldestSeconds);
	});
	const checks = [...clients.health].map(async ([name, client]) => {
		const status = await readHealth(client);
		if (status !== services[name])
			log[status === "ok" ? "info" : "warn"](
				{ name, health: status },
				`${name} is ${status}`,
			);
		services[name] = status;
		telemetry.serviceUp.set({ name }, status === "ok" ? 1 : 0);
		return status;
	});
	const statuses = await Promise.all(checks);
	await Promise.all(backlogChecks);
	return statuses.filter((status) => status !== "ok").length;
}

type HealthClient = Parameters<Clients["health"]["set"]>[1];

/** Asks twice: one stall of a busy machine says nothing. */
async function readHealth(client: HealthClient): Promise<HealthWord> {
	const first = await askHealth(client);
	return first === "unreachable" ? askHealth(client) : first;
}

async function askHealth(client: HealthClient): Promise<HealthWord> {
	try {
		const { status } = await client.check({ service: STORAGE });
		return status === Serving.SERVING ? "ok" : "unavailable";
	} catch {
		return "unreachable";
	}
}
