import {
	conflict,
	DomainError,
	unavailable,
} from "@airtower/platform/runtime/domain-error";
import type { Logger } from "@airtower/platform/runtime/log";
import { request } from "undici";
import { z } from "zod";
import {
	type ProviderTemplate,
	readProviderTemplate,
} from "../domain/provider-template.ts";
import { type Endpoint, readLimited } from "./http.ts";
import { clip, errorSchema, parseJson } from "./submit-response.ts";

const MAX_PAGE_BYTES = 8 * 1_048_576;

const PAGE_SIZE = 100;

/** A business account has at most 6,000 templates; more pages than this is a loop. */
const MAX_PAGES = 200;

const FIELDS = "id,name,language,status,category,components";

const pageSchema = z.looseObject({
	data: z.array(z.unknown()),
	paging: z
		.looseObject({
			cursors: z.looseObject({ after: z.string().optional() }).optional(),
			next: z.string().optional(),
		})
		.optional(),
});

/** All templates of a business account. Throws DomainError `provider_unavailable` or `provider_refused`. */
export async function listTemplates(
	endpoint: Endpoint,
	accountId: string,
	accessToken: string,
	log: Logger,
): Promise<ProviderTemplate[]> {
	const templates: ProviderTemplate[] = [];
	let after: string | undefined;
	for (let page = 0; page < MAX_PAGES; page++) {
		const url = pageUrl(endpoint.base, accountId, after);
		const { data, paging } = await readPage(endpoint, url, accessToken);
		for (const value of data) {
			const template = readProviderTemplate(value);
			if (template !== undefined) templates.push(template);
			else log.warn({ accountId }, "a template could not be read");
		}
		// `next` is a whole URL with the token in it: only its presence is used, never the address.
		after = paging?.next === undefined ? undefined : paging.cursors?.after;
		if (after === undefined) return templates;
	}
	throw providerUnavailable(new Error("the template list does not end"));
}

function pageUrl(base: string, accountId: string, after?: string): URL {
	const url = new URL(
		`${base}/${encodeURIComponent(accountId)}/message_templates`,
	);
	url.searchParams.set("fields", FIELDS);
	url.searchParams.set("limit", String(PAGE_SIZE));
	if (after !== undefined) url.searchParams.set("after", after);
	return url;
}

async function readPage(
	{ dispatcher, timeoutMs }: Endpoint,
	url: URL,
	accessToken: string,
): Promise<z.infer<typeof pageSchema>> {
	try {
		const { statusCode, body } = await request(url, {
			dispatcher,
			headers: { authorization: `Bearer ${accessToken}` },
			signal: AbortSignal.timeout(timeoutMs),
		});
		const text = await readLimited(body, MAX_PAGE_BYTES);
		if (OUR_FAULT.has(statusCode)) throw providerRefused(statusCode, text);
		if (statusCode !== 200)
			throw new Error(`HTTP ${statusCode}: ${clip(text)}`);
		return pageSchema.parse(parseJson(text));
	} catch (error) {
		throw error instanceof DomainError ? error : providerUnavailable(error);
	}
}

/** Responses that waiting seldom mends: the token or the id of the account is wrong. */
const OUR_FAULT: ReadonlySet<number> = new Set([400, 401, 403, 404]);

const MAX_SAID_LENGTH = 200;

/** Tells the admin, who alone asks, what the provider says of the token or the account. */
function providerRefused(httpStatus: number, text: string): DomainError {
	const { error } = errorSchema.safeParse(parseJson(text)).data ?? {};
	const code = error?.code === undefined ? "" : `, code ${error.code}`;
	const said = clip(error?.message ?? "").slice(0, MAX_SAID_LENGTH);
	return conflict(
		"provider_refused",
		`The provider refused to give the templates (HTTP ${httpStatus}${code}${said && `: ${said}`}).` +
			" Registering the number again mends a wrong token or account id.",
		{ cause: new Error(clip(text)) },
	);
}

function providerUnavailable(cause: unknown): DomainError {
	return unavailable(
		"provider_unavailable",
		"The provider did not give its templates; try again later.",
		{ cause },
	);
}
