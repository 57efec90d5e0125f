import type { OperatorRoute } from "@airtower/proto/messaging/v1/admin";
import { timestampDate } from "@bufbuild/protobuf/wkt";

export interface ShownHealth {
	readonly status: string;
	readonly services: Readonly<Record<string, string>>;
	readonly oldestUnsentSeconds: number;
	readonly oldestUndeliveredCallbackSeconds: number;
}

type ShownRoute = Pick<
	OperatorRoute,
	| "code"
	| "state"
	| "health"
	| "healthReason"
	| "connections"
	| "connectionsWanted"
	| "lastError"
	| "nextTryAt"
	| "queued"
>;

/** How a running system is: what is late or down, and when it is tried next. */
export function healthText(
	health: ShownHealth | undefined,
	routes: readonly ShownRoute[] | undefined,
): string {
	const lines = [
		`Health     ${health === undefined ? "the gateway does not respond" : healthLine(health)}`,
		...(routes?.map((route) => `Route      ${routeLine(route)}`) ?? [
			"Routes     messaging does not tell how they are",
		]),
	];
	return lines.map((line) => `  ${line}\n`).join("");
}

function healthLine(health: ShownHealth): string {
	const bad = Object.entries(health.services)
		.filter(([, status]) => status !== "ok")
		.map(([name, status]) => `${name} is ${status}`);
	const ages = [
		["the oldest message", health.oldestUnsentSeconds, "to be sent"],
		[
			"the oldest callback",
			health.oldestUndeliveredCallbackSeconds,
			"for its first attempt",
		],
	] as const;
	const late = ages
		.filter(([, seconds]) => seconds > 0)
		.map(([what, seconds, until]) => `${what} waits ${seconds} s ${until}`);
	const facts = [...bad, ...late];
	return [health.status, facts.join(", ") || "nothing waits"].join("; ");
}

function routeLine(route: ShownRoute): string {
	const { code, connections, connectionsWanted, lastError, queued } = route;
	const binds = `${connections} of ${connectionsWanted} connections`;
	const waiting = queued === 0n ? "" : `; ${queued} messages wait`;
	if (route.state === "paused") return `${code} is paused${waiting}`;
	if (connections > 0) return `${code}${standing(route)}: ${binds}${waiting}`;
	if (connectionsWanted === 0) return `${code}: no process delivers${waiting}`;
	const why = lastError === "" ? "" : ` (${lastError})`;
	const next =
		route.nextTryAt === undefined
			? ""
			: `; next try ${timestampDate(route.nextTryAt).toISOString()}`;
	return `${code} is down${why}${next}${waiting}`;
}

/** A route may be down although it is connected: what it sends has no response, for example, or no receipts come. */
function standing({ health, healthReason }: ShownRoute): string {
	const why = healthReason.replaceAll("_", " ");
	if (health === "down") return ` is down (${why})`;
	return health === "trial" ? ` is tried again (${why} before)` : "";
}
