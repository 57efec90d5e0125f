import type { Egress } from "./egress.ts";
import { createHttpClient } from "./http-client.ts";
import { checkRequest } from "./http-request.ts";
import type { HttpRoute } from "./http-route.ts";

/** Short enough for an admin to wait for, ms. */
const TIMEOUT_MS = 10_000;

/** Calls what the description names for it; without such a call nothing but a message would tell. */
export async function tryAccount(
	route: HttpRoute,
	egress: Egress,
): Promise<{ readonly passed: boolean; readonly result: string }> {
	const request = checkRequest(route);
	if (request === undefined)
		return { passed: false, result: "the description has no check to call" };
	const one = { ...route, binds: 1, timeoutMs: TIMEOUT_MS };
	const client = createHttpClient(one, egress);
	try {
		const exchange = await client.request(request, () => true);
		if (exchange.kind !== "responded")
			return { passed: false, result: exchange.why };
		const { status } = exchange.response;
		const passed = status >= 200 && status <= 299;
		const said = passed ? "let the account in" : "refused";
		return { passed, result: `${route.address.host} ${said}: HTTP ${status}` };
	} finally {
		await client.close();
	}
}
