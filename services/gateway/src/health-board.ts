import { type ServiceName, serviceNames } from "./clients.ts";

/** "unavailable" is a service that responds and cannot store anything now. */
export type HealthWord = "ok" | "unavailable" | "unreachable";

/** What was found at the latest check. */
export type HealthBoard = Record<ServiceName, HealthWord>;

export function unknownHealth(): HealthBoard {
	const words = serviceNames.map((name) => [name, "unreachable"]);
	return Object.fromEntries(words);
}

export function isAllOk(board: HealthBoard): boolean {
	return Object.values(board).every((word) => word === "ok");
}

/** True when an SMS can be paid for and stored now. */
export function takesMessages({ accounts, messaging }: HealthBoard): boolean {
	return accounts === "ok" && messaging === "ok";
}
