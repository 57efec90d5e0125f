import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Queryable } from "../database/database.ts";
import { ADMIN } from "../identity/jwk.ts";
import { callerOf, peerAddressKey } from "../rpc/caller.ts";
import { type Facts, insertAuditEntry } from "./audit-entries.ts";

/** What a handler did. */
export interface Act {
	/** Whom it was about; absent when that is no single organization. */
	readonly organizationId?: string;
	/** What it was done to, where that is not the organization. */
	readonly subject?: string;
	readonly before?: Facts;
	readonly after?: Facts;
	/** The API key that asked, where a service calls for it. */
	readonly by?: { readonly apiKeyId: string; readonly address: string };
}

/** True once the call has an entry of its own, or needs none. */
export const recordedKey = createContextKey(false, {
	description: "the call is in the audit",
});

/** Records what the call does, in the transaction that does it. */
export async function recordAct(
	sql: Queryable,
	context: Pick<HandlerContext, "method" | "values">,
	act: Act,
): Promise<void> {
	const { by, organizationId, subject, before, after } = act;
	const { issuer, name } = callerOf(context);
	await insertAuditEntry(sql, {
		organizationId: organizationId ?? null,
		actorKind: by === undefined ? toKind(issuer) : "api_key",
		actor: by?.apiKeyId ?? name,
		address: (by?.address ?? context.values.get(peerAddressKey)) || null,
		action: toAction(context.method.name),
		subject: subject ?? null,
		before: before ?? null,
		after: after ?? null,
	});
	context.values.set(recordedKey, true);
}

/** The call changed nothing, a repeated one for example: it gets no entry. */
export function recordNothing(context: Pick<HandlerContext, "values">): void {
	context.values.set(recordedKey, true);
}

function toKind(issuer: string): "admin" | "service" {
	return issuer === ADMIN ? "admin" : "service";
}

/** "GrantQuota" is "grant_quota". */
function toAction(method: string): string {
	return method
		.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
		.toLowerCase();
}
