import { transaction } from "@airtower/platform/database/database";
import type { Context } from "./context.ts";
import { unknownApiKey } from "./errors.ts";
import { publishChange } from "./publish-change.ts";
import { markRevoked } from "./store/api-keys.ts";

/** Revokes a key and tells the gateways, which hold verified keys for a while. Throws unknown_api_key. */
export async function revokeKey(
	ctx: Pick<Context, "sql" | "wakeRelay">,
	organizationId: string,
	apiKeyId: string,
): Promise<void> {
	await transaction(ctx.sql, async (sql) => {
		if (!(await markRevoked(sql, organizationId, apiKeyId)))
			throw unknownApiKey();
		await publishChange(sql, organizationId, {
			case: "apiKeyRevoked",
			value: { apiKeyId },
		});
	});
	ctx.wakeRelay();
}
