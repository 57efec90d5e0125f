import type { createAdminClients } from "../../start/admin-clients.ts";
import { OTHER_ROUTES } from "./settings.ts";
import { until } from "./watch.ts";

type Clients = ReturnType<typeof createAdminClients>;

/** A route that was down is tried again within a minute, and then with a few messages. */
const SEEN_MS = 120_000;

/** Without rules every route that is active takes the same share. */
export async function prepareRoutes({
	messagingAdmin,
	routeRules,
}: Clients): Promise<void> {
	const { rules } = await routeRules.listRouteRules({});
	for (const { id } of rules) await routeRules.removeRouteRule({ id });
	for (const [code, settings] of Object.entries(OTHER_ROUTES))
		await messagingAdmin.setRoute({ code, settings });
}

/** Lets messages go over all routes, or over the first alone; returns how many these are, once it is so. */
export async function openRoutes(
	{ messagingAdmin }: Clients,
	all: boolean,
): Promise<number> {
	const others = Object.keys(OTHER_ROUTES);
	for (const code of others) {
		const state = all ? "active" : "paused";
		await messagingAdmin.setRouteState({ code, state });
	}
	await until(
		async () => {
			const { routes } = await messagingAdmin.listRoutes({});
			const changed = routes.filter(({ code }) => others.includes(code));
			return changed.every(
				({ takesNewMessages, connections }) =>
					takesNewMessages === all && connections > 0,
			);
		},
		SEEN_MS,
		"the routes are not as they were set",
	);
	return all ? others.length + 1 : 1;
}
