import type { IssueApiKeyRequestSchema } from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { TestAccounts } from "./accounts.ts";

export function issue(
	service: Pick<TestAccounts, "admin">,
	organizationId: string,
	name = "key",
	more: MessageInitShape<typeof IssueApiKeyRequestSchema> = {},
) {
	return service.admin.issueApiKey({ ...more, organizationId, name });
}

/** Ids of the keys that are good, each in its place. */
export async function authenticate(
	accounts: TestAccounts["accounts"],
	apiKeys: string[],
): Promise<(string | undefined)[]> {
	const { results } = await accounts.authenticateKeys({ apiKeys });
	return results.map((result) => result.key?.apiKeyId);
}

/** Lets a key run out without waiting. */
export async function expire(
	service: Pick<TestAccounts, "ctx">,
	apiKeyId: string,
): Promise<void> {
	await service.ctx.sql`
		update api_keys
		set expires_at = now() - interval '1 ms'
		where id = ${apiKeyId}
	`;
}
