import { z } from "zod";
import type { SubmitResult } from "../domain/attempt-outcome.ts";

/** The one 5xx by which a server or proxy that names no error says that it took nothing. */
const SERVICE_UNAVAILABLE = 503;
/** Longest provider's text that is kept, characters. */
const MAX_TEXT_LENGTH = 2_000;

const takenSchema = z.looseObject({
	contacts: z
		.array(z.looseObject({ wa_id: z.string().optional().catch(undefined) }))
		.default([])
		.catch([]),
	messages: z.array(z.looseObject({ id: z.string().min(1).max(1_024) })).min(1),
});
export const errorSchema = z.looseObject({
	error: z.looseObject({
		code: z.number().optional().catch(undefined),
		error_subcode: z.number().optional().catch(undefined),
		is_transient: z.boolean().default(false).catch(false),
		message: z.string().optional().catch(undefined),
	}),
});

/** A response is believed only when it names the message or the error; else nobody knows whether it was taken. */
export function parseSubmitResponse(
	httpStatus: number,
	text: string,
): SubmitResult {
	const value = parseJson(text);
	const isOk = httpStatus >= 200 && httpStatus < 300;
	const taken = takenSchema.safeParse(isOk ? value : undefined).data;
	const providerMessageId = taken?.messages[0]?.id;
	if (providerMessageId !== undefined)
		return {
			kind: "taken",
			providerMessageId,
			waId: taken?.contacts[0]?.wa_id,
		};
	const error = errorSchema.safeParse(value).data?.error;
	const saysNothing = isOk
		? error === undefined
		: isOfNobody(httpStatus) && error?.code === undefined;
	if (saysNothing) return { kind: "unknown", text: clip(text) };
	return {
		kind: "refused",
		code: error?.code,
		subcode: error?.error_subcode,
		httpStatus,
		isTransient: error?.is_transient ?? false,
		text: clip(text),
	};
}

/** A server that broke down while it worked on the request, or a proxy that lost it: it may have been taken. */
function isOfNobody(httpStatus: number): boolean {
	return httpStatus >= 500 && httpStatus !== SERVICE_UNAVAILABLE;
}

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** What the database can store of a text, and no more than needed. */
export function clip(text: string): string {
	return text.replaceAll("\0", "").toWellFormed().slice(0, MAX_TEXT_LENGTH);
}
