import { withRequestId } from "@airtower/platform/runtime/request-context";
import type {
	GetAccountResponse,
	LedgerEntry,
} from "@airtower/proto/accounts/v1/account";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import {
	type AccountRecord,
	account,
	accountReply,
	type UsageEntryRecord,
	usageEntry,
	usageReply,
} from "../../schemas/account.ts";
import { noQuery } from "../../schemas/common.ts";
import { pageQuery } from "../../schemas/pages.ts";
import { nextCursorOf, pageRequestOf } from "../pages.ts";
import { requiredTime } from "../times.ts";

const RESOURCE = "usage";

/** GET /account and GET /usage. */
export function accountRoutes(ctx: Context): FastifyPluginAsyncZod {
	const client = ctx.clients.account;
	return async (app) => {
		app.route({
			method: "GET",
			url: "/account",
			config: { access: scopeAccess("account:read", { whileSuspended: true }) },
			schema: {
				operationId: "getAccount",
				tags: ["Account"],
				summary: "Read the account",
				description:
					"Commercial state, subscription and quota. Answered for a suspended or closed organization too.",
				querystring: noQuery,
				response: { 200: accountReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const answer = await withRequestId(request.id, () =>
					client.getAccount({ organizationId }),
				);
				return { success: true as const, account: accountRecord(answer) };
			},
		});

		app.route({
			method: "GET",
			url: "/usage",
			config: {
				access: scopeAccess("account:read"),
				errors: ["invalid_cursor"],
			},
			schema: {
				operationId: "listUsage",
				tags: ["Account"],
				summary: "List the usage ledger",
				description:
					"Newest first. The sum of all entries is the balance, always.",
				querystring: pageQuery,
				response: { 200: usageReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const scope = { resource: RESOURCE, organizationId };
				const page = pageRequestOf(ctx.cursorKeys, scope, request.query);
				const { entries, next } = await withRequestId(request.id, () =>
					client.listLedgerEntries({ organizationId, page }),
				);
				return {
					success: true as const,
					entries: entries.map(entryRecord),
					nextCursor: nextCursorOf(ctx.cursorKeys, scope, next),
				};
			},
		});
	};
}

function accountRecord(answer: GetAccountResponse): AccountRecord {
	const { shape } = account;
	return {
		organization: {
			id: answer.organizationId,
			name: answer.name,
			email: answer.email,
		},
		commercial_state: shape.commercial_state.parse(answer.commercialState),
		subscription: {
			plan: answer.plan,
			status: shape.subscription.shape.status.parse(answer.subscriptionStatus),
			current_period_start: requiredTime(answer.currentPeriodStart),
			current_period_end: requiredTime(answer.currentPeriodEnd),
		},
		quota: {
			sms: {
				remaining: Number(answer.smsRemaining),
				used_this_period: Number(answer.smsUsedThisPeriod),
			},
		},
	};
}

function entryRecord(entry: LedgerEntry): UsageEntryRecord {
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
