import type {
	GetAccountResponse,
	LedgerEntry,
} from "@airtower/proto/accounts/v1/account";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import { account, usageEntry } from "../../schemas/account.ts";
import { successBody } from "../../schemas/common.ts";
import { pageQuery } from "../../schemas/pages.ts";
import { addList } from "../add-list.ts";
import { requiredTime } from "../required.ts";
import type { App } from "../routes.ts";

/** GET /account and GET /usage. */
export function accountRoutes(app: App, ctx: Context): void {
	const client = ctx.clients.account;

	app.route({
		method: "GET",
		url: "/account",
		config: { access: scopeAccess("account:read", { whileSuspended: true }) },
		schema: {
			operationId: "getAccount",
			tags: ["Account"],
			summary: "Read the account",
			description:
				"Commercial state, subscription and quota. Open to a suspended or closed organization too.",
			response: { 200: successBody({ account }) },
		},
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const found = await client.getAccount({ organizationId });
			return { success: true as const, account: toAccount(found) };
		},
	});

	addList(app, ctx, {
		url: "/usage",
		scope: "account:read",
		operationId: "listUsage",
		tag: "Account",
		summary: "List the usage ledger",
		description: "Newest first. The sum of all entries is the balance, always.",
		query: pageQuery,
		rows: { entries: usageEntry.array() },
		find: async (page) => {
			const { entries, next } = await client.listLedgerEntries(page);
			return { entries: entries.map(toEntry), next };
		},
	});
}

function toAccount(found: GetAccountResponse) {
	const { shape } = account;
	return {
		organization: {
			id: found.organizationId,
			name: found.name,
			email: found.email,
		},
		commercial_state: shape.commercial_state.parse(found.commercialState),
		subscription: {
			plan: found.plan,
			status: shape.subscription.shape.status.parse(found.subscriptionStatus),
			current_period_start: requiredTime(found.currentPeriodStart),
			current_period_end: requiredTime(found.currentPeriodEnd),
		},
		quota: {
			sms: {
				remaining: Number(found.smsRemaining),
				used_this_period: Number(found.smsUsedThisPeriod),
			},
		},
	};
}

function toEntry(entry: LedgerEntry) {
	const { shape } = usageEntry;
	return {
		id: entry.id,
		kind: shape.kind.parse(entry.kind),
		channel: shape.channel.parse(entry.channel || null),
		units: Number(entry.units),
		balance_after: Number(entry.balanceAfter),
		message_id: entry.messageId || null,
		campaign_id: entry.campaignId || null,
		note: entry.note || null,
		created_at: requiredTime(entry.createdAt),
	};
}
