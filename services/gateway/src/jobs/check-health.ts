import { HealthCheckResponse_ServingStatus as Serving } from "@airtower/proto/grpc/health/v1/health";
import type { Clients, ServiceName } from "../clients.ts";
import type { Context, HealthWord } from "../context.ts";

/** Asks every service whether it serves and notes the answers; so GET /health asks nobody. */
export async function checkHealth(ctx: Context): Promise<number> {
	const names = Object.keys(ctx.health) as ServiceName[];
	await Promise.all(
		names.map(async (name) => {
			const word = await checkService(ctx.clients.health[name]);
			if (word !== ctx.health[name])
				ctx.log[word === "ok" ? "info" : "warn"](
					{ name, health: word },
					`${name} is ${word}`,
				);
			ctx.health[name] = word;
			ctx.telemetry.serviceUp.set({ name }, word === "ok" ? 1 : 0);
		}),
	);
	return 0;
}

async function checkService(
	client: Clients["health"][ServiceName],
): Promise<HealthWord> {
	try {
		const { status } = await client.check({ service: "" });
		return status === Serving.SERVING ? "ok" : "unreachable";
	} catch {
		return "unreachable";
	}
}
