import { AddressRefused } from "@airtower/platform/egress/address-guard";
import type { Context } from "./context.ts";
import {
	ADDRESS_PROBLEM,
	hostFrom,
	urlProblem,
} from "./domain/endpoint-url.ts";
import { invalidWebhookUrl } from "./errors.ts";

/** Longest wait for the host's addresses, ms. */
const RESOLVE_TIMEOUT_MS = 2_000;

/** Accepts a name without an address yet: every connection checks again. Throws `invalid_webhook_url`. */
export async function assertReceivingUrl(
	ctx: Context,
	text: string,
): Promise<void> {
	const problem = urlProblem(text, ctx.urlRules);
	if (problem !== undefined) throw invalidWebhookUrl(problem);
	const { allowPrivateAddresses, blockedNetworks } = ctx.urlRules;
	if (allowPrivateAddresses && blockedNetworks.length === 0) return;
	if (await leadsInside(ctx, hostFrom(new URL(text))))
		throw invalidWebhookUrl(ADDRESS_PROBLEM);
}

async function leadsInside(ctx: Context, host: string): Promise<boolean> {
	const late = Promise.withResolvers<false>();
	const timer = setTimeout(() => late.resolve(false), RESOLVE_TIMEOUT_MS);
	try {
		return await Promise.race([isRefused(ctx, host), late.promise]);
	} finally {
		clearTimeout(timer);
	}
}

async function isRefused(ctx: Context, host: string): Promise<boolean> {
	try {
		await ctx.guard(host);
		return false;
	} catch (error) {
		if (!(error instanceof AddressRefused)) throw error;
		return error.reason === "address_not_allowed";
	}
}
