import { isUuid } from "@airtower/platform/ids";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type Call, UsageError } from "./command.ts";

/** Id of the organization that the argument names by id or by name. */
export async function organizationOf(call: Call): Promise<string> {
	const given = call.text("organization");
	if (isUuid(given)) return given.toLowerCase();
	const { organization } = await call.clients.accounts.getOrganization({
		name: given,
	});
	return organization?.id ?? "";
}

/**
 * An argument that must be a UUID.
 * @throws UsageError
 */
export function uuidOf(call: Call, name: string): string {
	const given = call.text(name);
	if (isUuid(given)) return given.toLowerCase();
	throw new UsageError(`<${name}> must be a UUID, which "${given}" is not.`);
}

/**
 * A whole number.
 * @throws UsageError
 */
export function numberOf(name: string, text: string): number {
	const value = Number(text);
	if (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) return value;
	throw new UsageError(`${name} must be a whole number, not "${text}".`);
}

export function dateOf(timestamp: Timestamp | undefined): Date | undefined {
	return timestamp && timestampDate(timestamp);
}

/**
 * The parts of a comma-separated option, none when it is absent.
 * @throws UsageError when it is given and lists nothing, as an unset shell variable does: none would mean all
 */
export function listOf(call: Call, name: string): string[] {
	const text = call.option(name);
	if (text === undefined) return [];
	const parts = text
		.split(",")
		.map((part) => part.trim())
		.filter((part) => part !== "");
	if (parts.length > 0) return parts;
	throw new UsageError(
		`--${name} lists nothing; name at least one, or leave it away for all.`,
	);
}
