import { isUuid } from "@airtower/platform/runtime/ids";
import type { Organization } from "@airtower/proto/accounts/v1/admin";
import type { Call } from "./command.ts";
import { CommandError, UsageError } from "./errors.ts";

/** An id is not looked up: the accounts service refuses an unknown one; others need {@link findOrganization}. */
export async function organizationIdFrom(
	call: Call,
	given = call.text("organization"),
): Promise<string> {
	if (isUuid(given)) return given.toLowerCase();
	return (await findOrganization(call, given)).id;
}

/** The organization that the argument names by id or by name; rejects when there is none. */
export async function findOrganization(
	call: Call,
	given = call.text("organization"),
): Promise<Organization> {
	const { organization } = await call.clients
		.accounts()
		.getOrganization(
			isUuid(given) ? { organizationId: given } : { name: given },
		);
	if (organization === undefined)
		throw new CommandError("The response names no organization.");
	return organization;
}

export function parseUuid(call: Call, name: string): string {
	const given = call.text(name);
	if (isUuid(given)) return given.toLowerCase();
	throw new UsageError(`<${name}> must be a UUID, which "${given}" is not.`);
}

/** @param name as the line calls it, for example "--status" or "<state>" */
export function parseWord(
	name: string,
	given: string,
	words: readonly string[],
): string {
	if (words.includes(given)) return given;
	throw new UsageError(
		`${name} must be ${words.join(" or ")}, not "${given}".`,
	);
}

/** Up to `most` on either side of zero, by default the largest that a double represents exactly. */
export function parseInteger(
	name: string,
	text: string,
	most = Number.MAX_SAFE_INTEGER,
): number {
	const value = Number(text);
	if (!/^-?\d+$/.test(text))
		throw new UsageError(`${name} must be a whole number, not "${text}".`);
	if (Math.abs(value) <= most) return value;
	const bound = value < 0 ? `at least -${most}` : `at most ${most}`;
	throw new UsageError(`${name} must be ${bound}, not "${text}".`);
}

/** @throws UsageError when the option lists nothing, as an unset shell variable does: none would mean all */
export function parseList(call: Call, name: string): string[] {
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
