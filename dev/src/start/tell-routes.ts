import {
	type AdminClients,
	adminAccessOf,
	createAdminClients,
	unless,
} from "./admin-clients.ts";
import {
	otherOperators,
	type SimulatedOperator,
	startedOperators,
} from "./other-operators.ts";
import type { System } from "./system.ts";
import type { SystemPlan } from "./system-plan.ts";

const DEFAULT_CODE = "smpp";

/**
 * Gives messaging the addresses of this start, and the secrets: it keeps its routes in the database. A route that an
 * admin has removed stays removed. Of the operators beside the first one, those that this start simulates are active,
 * and the others paused.
 */
export async function tellRoutes(
	system: System,
	plan: SystemPlan,
): Promise<void> {
	const clients = createAdminClients(adminAccessOf(system));
	await tellFirst(clients, plan.smppRoute);
	const started = startedOperators(plan);
	for (const operator of otherOperators)
		if (started.includes(operator)) await tellOther(clients, operator, plan);
		else await pause(clients, operator.code);
}

async function tellFirst(
	{ messagingAdmin }: AdminClients,
	smppRoute: string,
): Promise<void> {
	const url = new URL(smppRoute);
	const code = url.searchParams.get("code") ?? DEFAULT_CODE;
	const password = decodeURIComponent(url.password);
	url.password = "";
	url.search = "";
	const settings = { address: url.href, password };
	await messagingAdmin
		.setRoute({ code, settings })
		.catch(unless("invalid_transition"));
}

async function tellOther(
	{ messagingAdmin, routeRules }: AdminClients,
	{ code, kind, rules, settings }: SimulatedOperator,
	{ ports }: SystemPlan,
): Promise<void> {
	const found = await messagingAdmin
		.getRoute({ code })
		.catch(unless("unknown_route"));
	const route = { code, settings: settings(ports) };
	if (found === undefined) {
		await messagingAdmin.addRoute({ ...route, kind });
		for (const rule of rules) await routeRules.addRouteRule(rule);
		return;
	}
	if (found.route?.state === "removed") return;
	await messagingAdmin.setRoute(route);
	await messagingAdmin.setRouteState({ code, state: "active" });
}

async function pause(
	{ messagingAdmin }: AdminClients,
	code: string,
): Promise<void> {
	await messagingAdmin
		.setRouteState({ code, state: "paused" })
		.catch(unless("unknown_route", "invalid_transition"));
}
