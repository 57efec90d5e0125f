import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { adminAccessOf, createAdminClients } from "./admin-clients.ts";
import type { System } from "./system.ts";

const DEFAULT_CODE = "smpp";

/**
 * Gives messaging the address of this start, and the password: it keeps its routes in the database, and looks at
 * `SMPP_ROUTE_URL` once. A route that an admin has removed stays removed.
 */
export async function tellRoute(
	system: System,
	smppRoute: string,
): Promise<void> {
	const url = new URL(smppRoute);
	const code = url.searchParams.get("code") ?? DEFAULT_CODE;
	const password = decodeURIComponent(url.password);
	url.password = "";
	url.search = "";
	const { messagingAdmin } = createAdminClients(adminAccessOf(system));
	const settings = { address: url.href, password };
	await messagingAdmin.setRoute({ code, settings }).catch((error: unknown) => {
		if (domainErrorFrom(error)?.reason !== "invalid_transition") throw error;
	});
}
