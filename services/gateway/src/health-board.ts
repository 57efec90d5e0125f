import {
	type ServiceName,
	serviceNames,
	type WorkingName,
	workingNames,
} from "./clients.ts";

/** "unavailable" is a service that responds, but cannot store anything now. */
export type HealthWord = "ok" | "unavailable" | "unreachable";

/** What was found at the latest check. */
export interface HealthBoard {
	readonly services: Record<ServiceName, HealthWord>;
	/** How long the oldest work of each waits, whole seconds; as it was found last. */
	readonly backlogs: Record<WorkingName, number>;
}

/** Work that waits for longer is late, s. */
export const LATE_AFTER_S = 120;

export function unknownHealth(): HealthBoard {
	const services = serviceNames.map((name) => [name, "unreachable"]);
	const backlogs = workingNames.map((name) => [name, 0]);
	return {
		services: Object.fromEntries(services),
		backlogs: Object.fromEntries(backlogs),
	};
}

/** Every service can store, and none is late with its work. */
export function isAllOk({ services, backlogs }: HealthBoard): boolean {
	return (
		Object.values(services).every((status) => status === "ok") &&
		Object.values(backlogs).every((seconds) => seconds <= LATE_AFTER_S)
	);
}

/** True when an SMS can be paid for and stored now. */
export function takesMessages({ services }: HealthBoard): boolean {
	return services.accounts === "ok" && services.messaging === "ok";
}
