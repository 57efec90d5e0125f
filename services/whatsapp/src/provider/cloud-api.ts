import { Readable } from "node:stream";
import { DomainError } from "@airtower/platform/runtime/domain-error";
import type { Logger } from "@airtower/platform/runtime/log";
import { Agent, type Dispatcher, request } from "undici";
import { z } from "zod";
import {
	type ProviderTemplate,
	readProviderTemplate,
} from "../domain/provider-template.ts";
import { messageBody } from "./message-body.ts";
import type { OutgoingMessage, Provider, SubmitResult } from "./provider.ts";
import { readLimited } from "./read-limited.ts";

export interface CloudApiOptions {
	/** For example https://graph.facebook.com, without the version. */
	readonly baseUrl: string;
	readonly version: string;
	/** For one request and its whole answer, ms. */
	readonly timeoutMs: number;
	readonly log: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than servers keep idle connections: one that closes under a request makes it unknown. */
const KEEP_ALIVE_MS = 2_000;
/** Longest answers that are read, bytes. */
const MAX_ANSWER_BYTES = 64 * 1_024;
const MAX_PAGE_BYTES = 8 * 1_048_576;
const TEMPLATE_PAGE_SIZE = 100;
/** A business account has at most 6,000 templates; more pages than this is a loop. */
const MAX_TEMPLATE_PAGES = 200;
const TEMPLATE_FIELDS = "id,name,language,status,category,components";
/** A proxy's time-out is a time-out, unlike the other 5xx answers. */
const GATEWAY_TIMEOUT = 504;
/** Answers that waiting seldom mends: the token or the id of the account is wrong. */
const OUR_FAULT: ReadonlySet<number> = new Set([400, 401, 403, 404]);
/** Longest error text that is kept, and that is passed on to the operator, characters. */
const MAX_TEXT_LENGTH = 2_000;
const MAX_SAID_LENGTH = 200;

const takenAnswer = z.looseObject({
	contacts: z
		.array(z.looseObject({ wa_id: z.string().optional().catch(undefined) }))
		.default([])
		.catch([]),
	messages: z.array(z.looseObject({ id: z.string().min(1).max(1_024) })).min(1),
});
const errorAnswer = z.looseObject({
	error: z.looseObject({
		code: z.number().optional().catch(undefined),
		is_transient: z.boolean().default(false).catch(false),
		message: z.string().optional().catch(undefined),
	}),
});
const templatePage = z.looseObject({
	data: z.array(z.unknown()),
	paging: z
		.looseObject({
			cursors: z.looseObject({ after: z.string().optional() }).optional(),
			next: z.string().optional(),
		})
		.optional(),
});

/** Meta's Cloud API over HTTP. Opens as many connections as there are requests under way. */
export function createCloudApi(options: CloudApiOptions): Provider {
	const agent = new Agent({
		// Over HTTP/2 a server may refuse a request it was sent, and one that is mute at first can hold up the process.
		allowH2: false,
		connect: { timeout: CONNECT_TIMEOUT_MS },
		keepAliveTimeout: KEEP_ALIVE_MS,
		keepAliveMaxTimeout: KEEP_ALIVE_MS,
		pipelining: 1,
	});
	const base = `${options.baseUrl.replace(/\/+$/, "")}/${options.version}`;
	return {
		submit: (message) => submit(options, agent, base, message),
		listTemplates: (accountId, accessToken) =>
			listTemplates(options, agent, base, accountId, accessToken),
		close: () => agent.destroy(),
	};
}

async function submit(
	{ timeoutMs }: CloudApiOptions,
	dispatcher: Dispatcher,
	base: string,
	message: OutgoingMessage,
): Promise<SubmitResult> {
	const body = watchedBody(JSON.stringify(messageBody(message)));
	try {
		const response = await request(
			`${base}/${encodeURIComponent(message.providerPhoneNumberId)}/messages`,
			{
				dispatcher,
				method: "POST",
				headers: {
					authorization: `Bearer ${message.accessToken}`,
					"content-type": "application/json",
					"content-length": String(body.bytes.length),
				},
				body: body.stream,
				signal: AbortSignal.timeout(timeoutMs),
			},
		);
		const text = await readLimited(response.body, MAX_ANSWER_BYTES);
		return readAnswer(response.statusCode, text);
	} catch (error) {
		const code = (error as { code?: unknown }).code;
		const kind = body.wasRead() ? "unknown" : "unsent";
		return { kind, text: clip(`${String(code)}: ${String(error)}`) };
	}
}

/**
 * A request's body that knows whether it was asked for: before, whatever went wrong, the provider cannot
 * have seen the message. The kind of an error does not tell: a time-out may end the wait for a connection.
 */
function watchedBody(text: string) {
	const bytes = Buffer.from(text);
	const stream = Readable.from(bytes, { objectMode: false });
	return { bytes, stream, wasRead: () => stream.readableDidRead };
}

/** An answer is believed only when it names the message or the error; else nobody knows whether it was taken. */
export function readAnswer(httpStatus: number, text: string): SubmitResult {
	const value = parseJson(text);
	const isOk = httpStatus >= 200 && httpStatus < 300;
	if (isOk) {
		const taken = takenAnswer.safeParse(value);
		const id = taken.success ? taken.data.messages[0]?.id : undefined;
		if (taken.success && id !== undefined)
			return {
				kind: "taken",
				providerMessageId: id,
				waId: taken.data.contacts[0]?.wa_id,
			};
	}
	const refused = errorAnswer.safeParse(value);
	const code = refused.data?.error.code;
	const isSilent = isOk ? !refused.success : httpStatus === GATEWAY_TIMEOUT;
	if (isSilent && code === undefined)
		return { kind: "unknown", text: clip(text) };
	return {
		kind: "refused",
		code,
		httpStatus,
		isTransient: refused.data?.error.is_transient ?? false,
		text: clip(text),
	};
}

async function listTemplates(
	options: CloudApiOptions,
	dispatcher: Dispatcher,
	base: string,
	accountId: string,
	accessToken: string,
): Promise<ProviderTemplate[]> {
	const templates: ProviderTemplate[] = [];
	let after: string | undefined;
	for (let page = 0; page < MAX_TEMPLATE_PAGES; page++) {
		const url = new URL(
			`${base}/${encodeURIComponent(accountId)}/message_templates`,
		);
		url.searchParams.set("fields", TEMPLATE_FIELDS);
		url.searchParams.set("limit", String(TEMPLATE_PAGE_SIZE));
		if (after !== undefined) url.searchParams.set("after", after);
		const { data, paging } = await readPage(
			options,
			dispatcher,
			url,
			accessToken,
		);
		for (const value of data) {
			const template = readProviderTemplate(value);
			if (template !== undefined) templates.push(template);
			else options.log.warn({ accountId }, "a template could not be read");
		}
		// `next` is a whole URL with the token in it: only its presence is used, never the address.
		after = paging?.next === undefined ? undefined : paging.cursors?.after;
		if (after === undefined) return templates;
	}
	throw providerUnavailable(new Error("the template list does not end"));
}

async function readPage(
	{ timeoutMs }: CloudApiOptions,
	dispatcher: Dispatcher,
	url: URL,
	accessToken: string,
): Promise<z.infer<typeof templatePage>> {
	try {
		const response = await request(url, {
			dispatcher,
			headers: { authorization: `Bearer ${accessToken}` },
			signal: AbortSignal.timeout(timeoutMs),
		});
		const text = await readLimited(response.body, MAX_PAGE_BYTES);
		const { statusCode } = response;
		if (OUR_FAULT.has(statusCode)) throw providerRefused(statusCode, text);
		if (statusCode !== 200)
			throw new Error(`HTTP ${statusCode}: ${clip(text)}`);
		return templatePage.parse(parseJson(text));
	} catch (error) {
		throw error instanceof DomainError ? error : providerUnavailable(error);
	}
}

/** Tells the platform's operator, who alone asks, what the provider says of the token or the account. */
function providerRefused(httpStatus: number, text: string): DomainError {
	const { error } = errorAnswer.safeParse(parseJson(text)).data ?? {};
	const code = error?.code === undefined ? "" : `, code ${error.code}`;
	const said = clip(error?.message ?? "").slice(0, MAX_SAID_LENGTH);
	return new DomainError({
		kind: "conflict",
		reason: "provider_refused",
		message: `The provider refused to give the templates (HTTP ${httpStatus}${code}${said && `: ${said}`}). Registering the number again mends a wrong token or account id.`,
		cause: new Error(clip(text)),
	});
}

function providerUnavailable(cause: unknown): DomainError {
	return new DomainError({
		kind: "unavailable",
		reason: "provider_unavailable",
		message: "The provider did not give its templates; try again later.",
		cause,
	});
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function clip(text: string): string {
	return text.replaceAll("\0", "").toWellFormed().slice(0, MAX_TEXT_LENGTH);
}
