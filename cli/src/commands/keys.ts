import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { type Output, toRow } from "../output.ts";
import { listCommand } from "../pages.ts";
import {
	findOrganization,
	organizationIdFrom,
	parseList,
	parseUuid,
} from "../values.ts";

export const keyCommands: readonly Command[] = [
	{
		line: "keys issue <organization> <name>",
		summary: "Issues an API key and shows it once",
		options: {
			"--scopes <list>":
				"scopes with commas between, for example sms:send,sms:read (default: all)",
			"--expires-at <time>":
				"RFC 3339, for example 2030-01-31T12:00:00Z (default: never)",
		},
		run: issueKey,
	},
	listCommand({
		line: "keys list <organization>",
		summary: "Lists an organization's active API keys, masked",
		read: async (call, page) => {
			const { id: organizationId } = await findOrganization(call);
			const client = call.clients.keys();
			const response = await client.listApiKeys({ organizationId, page });
			return { items: response.apiKeys, next: response.next };
		},
		toRow: (key) => ({
			...toRow(key, "id", "name"),
			key: key.prefix,
			status: key.status,
			scopes: key.scopes.join(","),
			...toRow(key, "createdAt", "expiresAt", "lastUsedAt"),
		}),
		whenEmpty: "The organization has no API keys.",
	}),
	{
		line: "keys revoke <organization> <key-id>",
		summary: "Revokes an API key at once",
		run: async (call) => {
			const apiKeyId = parseUuid(call, "key-id");
			const organizationId = await organizationIdFrom(call);
			await call.clients.accounts().revokeApiKey({ organizationId, apiKeyId });
			return { content: { id: apiKeyId, status: "revoked" } };
		},
	},
];

async function issueKey(call: Call): Promise<Output> {
	const scopes = parseList(call, "scopes");
	const expiresAt = parseTime(call.option("expires-at"));
	const organizationId = await organizationIdFrom(call);
	const name = call.text("name");
	const { apiKeyId, secret } = await call.clients.accounts().issueApiKey({
		organizationId,
		name,
		scopes,
		...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
	});
	return { content: { id: apiKeyId, name, secret } };
}

function parseTime(text: string | undefined): Date | undefined {
	if (text === undefined) return undefined;
	try {
		return new Date(Temporal.Instant.from(text).epochMilliseconds);
	} catch {
		throw new UsageError(
			`--expires-at must be a time with its offset like 2030-01-31T12:00:00Z, not "${text}".`,
		);
	}
}
