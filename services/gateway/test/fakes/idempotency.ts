import { DomainError } from "@airtower/platform/runtime/domain-error";
import type { Idempotency } from "@airtower/proto/common/v1/idempotency";

interface Entry<T> {
	readonly fingerprint: string;
	readonly response: T;
}

/** Responses by organization and key, as the services keep them. */
export class StoredResponses<T> {
	private readonly entries = new Map<string, Entry<T>>();

	/** The earlier response to this very request. Throws idempotency_key_reused for another request. */
	find(organizationId: string, claim: Idempotency | undefined): T | undefined {
		if (claim === undefined) return undefined;
		const entry = this.entries.get(`${organizationId} ${claim.key}`);
		if (entry === undefined) return undefined;
		if (entry.fingerprint === hex(claim.fingerprint)) return entry.response;
		throw new DomainError({
			kind: "conflict",
			reason: "idempotency_key_reused",
			message: "This Idempotency-Key was used for another request.",
		});
	}

	keep(
		organizationId: string,
		claim: Idempotency | undefined,
		response: T,
	): void {
		if (claim === undefined) return;
		const fingerprint = hex(claim.fingerprint);
		this.entries.set(`${organizationId} ${claim.key}`, {
			fingerprint,
			response,
		});
	}
}

function hex(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("hex");
}
