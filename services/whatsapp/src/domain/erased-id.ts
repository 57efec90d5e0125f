import { createHash } from "node:crypto";

/**
 * What an erasure leaves of the provider's id of a message, which contains the number: a digest, by which the message is
 * known when the provider tells of it again.
 */
export function erasedId(providerMessageId: string): string {
	const digest = createHash("sha256").update(providerMessageId).digest("hex");
	return `erased-${digest}`;
}
