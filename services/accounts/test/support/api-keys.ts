import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { CreateApiKeyRequestSchema } from "@airtower/proto/accounts/v1/account";
import type { IssueApiKeyRequestSchema } from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { TestAccounts } from "./accounts.ts";
import { organizationWith } from "./organizations.ts";
import { pageOf, readAll } from "./pages.ts";

interface KeyOwner {
	readonly organizationId: string;
	readonly callerApiKeyId: string;
}

/** An organization with a first key. */
export async function ownerOf(
	service: Pick<TestAccounts, "admin">,
	scopes: string[] = [],
): Promise<KeyOwner> {
	const organizationId = await organizationWith(service);
	const first = await issue(service, organizationId, "first", { scopes });
	return { organizationId, callerApiKeyId: first.apiKeyId };
}

/** A key made with the owner's first one. */
export function createKey(
	service: Pick<TestAccounts, "account">,
	owner: KeyOwner,
	more: MessageInitShape<typeof CreateApiKeyRequestSchema> = {},
) {
	return service.account.createApiKey({ name: "key", ...owner, ...more });
}

/** Every page of an organization's keys. */
export function listAllKeys(
	{ account }: Pick<TestAccounts, "account">,
	organizationId: string,
	limit = 50,
) {
	return readAll(async (after) => {
		const page = pageOf(limit, after);
		const { apiKeys, next } = await account.listApiKeys({
			organizationId,
			page,
		});
		return { rows: apiKeys, next };
	});
}

/** Why a call was refused; "none" when it was not. */
export function reasonOf(call: Promise<unknown>): Promise<string | undefined> {
	return call.then(
		() => "none",
		(error) => domainErrorFrom(error)?.reason,
	);
}

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
