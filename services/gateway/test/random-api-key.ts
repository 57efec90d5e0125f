import { randomBase62 } from "@airtower/platform/runtime/base62";
import { apiKeyChecksum } from "@airtower/proto/rules/api-key";

/** A well-formed key that nobody has. */
export function randomApiKey(): string {
	const head = `at_live_${randomBase62(32)}`;
	return head + apiKeyChecksum(head);
}
