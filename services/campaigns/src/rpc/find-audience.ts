import { setImmediate } from "node:timers/promises";
import type { Context } from "../context.ts";
import { readNumbers } from "../domain/given-numbers.ts";
import { audienceTooLarge } from "../errors.ts";
import {
	type AudienceContact,
	findAudienceContacts,
	findLastContactId,
} from "../store/audience.ts";
import type { NewCampaign } from "../store/campaigns.ts";

const CONTACTS_PER_STEP = 5_000;
/** Others have their turn in between. */
const NUMBERS_PER_STEP = 500;

/** Whom the snapshot of a campaign would take now. */
export interface Audience {
	/** All of them, also those that are left out. */
	readonly size: number;
	readonly recipients: readonly AudienceContact[];
	readonly invalid: number;
	/** Repetitions in a list. */
	readonly duplicates: number;
}

/** Throws invalid `audience_too_large`. */
export function findAudience(
	ctx: Pick<Context, "sql" | "bounds">,
	campaign: NewCampaign,
	given: readonly string[],
	signal: AbortSignal,
): Promise<Audience> {
	return campaign.audienceTags.length > 0
		? findByTags(ctx, campaign, signal)
		: readList(given, campaign.defaultCountry, signal);
}

async function findByTags(
	{ sql, bounds: { previewed } }: Pick<Context, "sql" | "bounds">,
	campaign: NewCampaign,
	signal: AbortSignal,
): Promise<Audience> {
	const { organizationId, audienceTags: tags } = campaign;
	const { audienceTagMatchMode: matchMode } = campaign;
	const until = await findLastContactId(sql);
	const limit = CONTACTS_PER_STEP;
	const range = { organizationId, tags, matchMode, until, limit };
	const recipients: AudienceContact[] = [];
	for (let after: number | null = 0; after !== null; ) {
		signal.throwIfAborted();
		const step: Awaited<ReturnType<typeof findAudienceContacts>> =
			await findAudienceContacts(sql, { ...range, after });
		recipients.push(...step.contacts);
		if (recipients.length > previewed) throw audienceTooLarge(previewed);
		after = step.last;
	}
	return { size: recipients.length, recipients, invalid: 0, duplicates: 0 };
}

async function readList(
	given: readonly string[],
	country: string,
	signal: AbortSignal,
): Promise<Audience> {
	const phones = new Set<string>();
	const invalid = new Set<string>();
	for (let start = 0; start < given.length; start += NUMBERS_PER_STEP) {
		signal.throwIfAborted();
		const step = given.slice(start, start + NUMBERS_PER_STEP);
		const read = readNumbers(step, country);
		for (const phone of read.phones) phones.add(phone);
		for (const text of read.invalid) invalid.add(text);
		await setImmediate();
	}
	return {
		size: given.length,
		recipients: [...phones].map((phone) => ({ phone, name: "" })),
		invalid: invalid.size,
		duplicates: given.length - phones.size - invalid.size,
	};
}
