import { type ServiceName, serviceNames } from "./clients.ts";

export type HealthBoard = Record<ServiceName, "ok" | "unreachable">;

export function unknownHealth(): HealthBoard {
	const words = serviceNames.map((name) => [name, "unreachable"]);
	return Object.fromEntries(words);
}
