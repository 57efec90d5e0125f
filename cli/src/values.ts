import { isUuid } from "@airtower/platform/runtime/ids";
import type { Organization } from "@airtower/proto/accounts/v1/admin";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type Call, CommandError, UsageError } from "./command.ts";

/**
 * Id of the organization that the argument names by id or by name. That one of that id exists is left to the
 * accounts service: for requests to another, which knows no organizations, see {@link findOrganization}.
 */
export async function organizationOf(call: Call): Promise<string> {
	const given = call.text("organization");
	if (isUuid(given)) return given.toLowerCase();
	return (await findOrganization(call)).id;
}

/** The organization that the argument names by id or by name; rejects when there is none. */
export async function findOrganization(call: Call): Promise<Organization> {
	const given = call.text("organization");
	const { organization } = await call.clients.accounts.getOrganization(
		isUuid(given) ? { organizationId: given } : { name: given },
	);
	if (organization === undefined)
		throw new CommandError("The service answered without an organization.");
	return organization;
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
 * A whole number up to `most` on either side of zero, by default the largest that a double holds exactly.
 * @throws UsageError
 */
export function numberOf(
	name: string,
	text: string,
	most = Number.MAX_SAFE_INTEGER,
): number {
	const value = Number(text);
	if (!/^-?\d+$/.test(text))
		throw new UsageError(`${name} must be a whole number, not "${text}".`);
	if (Math.abs(value) > most)
		throw new UsageError(
			`${name} must be ${value < 0 ? `at least -${most}` : `at most ${most}`}, not "${text}".`,
		);
	return value;
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
