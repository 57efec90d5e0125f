import { HealthCheckResponse_ServingStatus as Serving } from "@airtower/proto/grpc/health/v1/health";
import type { Clients } from "../clients.ts";
import type { Context } from "../context.ts";

/** Asks every service whether it serves and notes the results, so that GET /health asks nobody. */
export async function checkHealth({
	clients,
	health,
	log,
	telemetry,
}: Context): Promise<number> {
	const checks = [...clients.health].map(async ([name, client]) => {
		const word = (await isServing(client)) ? "ok" : "unreachable";
		if (word !== health[name])
			log[word === "ok" ? "info" : "warn"](
				{ name, health: word },
				`${name} is ${word}`,
			);
		health[name] = word;
		telemetry.serviceUp.set({ name }, word === "ok" ? 1 : 0);
	});
	await Promise.all(checks);
	return 0;
}

type HealthClient = Parameters<Clients["health"]["set"]>[1];

async function isServing(client: HealthClient): Promise<boolean> {
	try {
		const { status } = await client.check({ service: "" });
		return status === Serving.SERVING;
	} catch {
		return false;
	}
}
