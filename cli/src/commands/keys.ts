import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Command, UsageError } from "../command.ts";
import { record } from "../output.ts";
import { listOfOrganization } from "../pages.ts";
import { dateOf, listOf, organizationOf, uuidOf } from "../values.ts";

export const listKeys = listOfOrganization({
	name: "keys list",
	summary: "Lists an organization's API keys that are not revoked, masked",
	read: async ({ keys }, wanted) => {
		const answer = await keys.listApiKeys(wanted);
		return { items: answer.apiKeys, next: answer.next };
	},
	rowOf: (key) => ({
		id: key.id,
		name: key.name,
		key: key.prefix,
		status: key.status,
		scopes: key.scopes.join(","),
		created_at: dateOf(key.createdAt),
		expires_at: dateOf(key.expiresAt),
		last_used_at: dateOf(key.lastUsedAt),
	}),
	whenEmpty: "The organization has no API keys.",
});

export const issueKey: Command = {
	name: "keys issue",
	summary: "Issues an API key and shows it, this once",
	args: ["organization", "name"],
	options: {
		scopes: {
			value: "list",
			about:
				"scopes with commas between, for example sms:send,sms:read (default: all)",
		},
		"expires-at": {
			value: "time",
			about: "RFC 3339, for example 2030-01-31T12:00:00Z (default: never)",
		},
	},
	run: async (call) => {
		const scopes = listOf(call, "scopes");
		const expiresAt = timeOf(call.option("expires-at"));
		const organizationId = await organizationOf(call);
		const name = call.text("name");
		const { apiKeyId, secret } = await call.clients.accounts.issueApiKey({
			organizationId,
			name,
			scopes,
			...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
		});
		return record({ id: apiKeyId, name, secret });
	},
};

export const revokeKey: Command = {
	name: "keys revoke",
	summary: "Revokes an API key at once",
	args: ["organization", "key-id"],
	run: async (call) => {
		const apiKeyId = uuidOf(call, "key-id");
		const organizationId = await organizationOf(call);
		await call.clients.accounts.revokeApiKey({ organizationId, apiKeyId });
		return record({ id: apiKeyId, status: "revoked" });
	},
};

/** A date and time of day with its offset. */
const RFC_3339 =
	/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function timeOf(text: string | undefined): Date | undefined {
	if (text === undefined) return undefined;
	const [, local] = RFC_3339.exec(text) ?? [];
	const time = new Date(text);
	if (local !== undefined && exists(local) && isTime(time)) return time;
	throw new UsageError(
		`--expires-at must be a time with its offset like 2030-01-31T12:00:00Z, not "${text}".`,
	);
}

/** A date that no month has is read as one of the next. */
function exists(local: string): boolean {
	const time = new Date(`${local}Z`);
	return isTime(time) && time.toISOString().startsWith(local);
}

function isTime(time: Date): boolean {
	return !Number.isNaN(time.getTime());
}
