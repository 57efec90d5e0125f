import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Allowances } from "@airtower/platform/runtime/allowances";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientNetwork } from "../../../domain/client-address.ts";
import { RefusalError } from "../../../errors.ts";

/** A text that changes with the version only, plain and compressed. */
export interface CachedText {
	readonly etag: string;
	/** One buffer for all responses: a string would be copied for each. */
	readonly plain: Buffer;
	readonly gzipped: Buffer;
}

const TOO_MUCH = {
	code: "rate_limited",
	message:
		"Too many documents were requested from this address; request it again later.",
} as const;

export async function toCachedText(plain: string): Promise<CachedText> {
	const hash = createHash("sha256").update(plain).digest("base64url");
	const gzipped = await promisify(gzip)(plain);
	// Weak: one tag for both encodings.
	return { etag: `W/"${hash}"`, plain: Buffer.from(plain), gzipped };
}

/**
 * Sends the text in an encoding that the client takes, or 304 when the client has it. Throws RefusalError
 * `rate_limited` once an address has used its bytes: who asks and does not read costs as much as who reads.
 * @param documents bytes that each address gets
 */
export function sendCachedText(
	{ headers, ip }: FastifyRequest,
	reply: FastifyReply,
	{ etag, plain, gzipped }: CachedText,
	documents: Allowances,
): FastifyReply {
	reply
		.header("cache-control", "no-cache")
		.header("etag", etag)
		.header("vary", "accept-encoding");
	if (hasTag(headers["if-none-match"], etag))
		return reply.removeHeader("content-type").code(304).send();
	const isPlain = !takesGzip(headers["accept-encoding"]);
	const text = isPlain ? plain : gzipped;
	const waitMs = documents.take(clientNetwork(ip), text.length);
	if (waitMs > 0)
		throw new RefusalError({
			...TOO_MUCH,
			retryAfterS: Math.ceil(waitMs / 1_000),
		});
	return isPlain
		? reply.send(text)
		: reply.header("content-encoding", "gzip").send(text);
}

/** Weak comparison of each listed tag (RFC 9110, 13.1.2). */
function hasTag(given = "", etag: string): boolean {
	const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
	return given
		.split(",")
		.some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));
}

function takesGzip(given: string | string[] = ""): boolean {
	return String(given)
		.split(",")
		.some((coding) =>
			/^\s*gzip\s*(;\s*q=(1|0\.0*[1-9])[\d.]*\s*)?$/i.test(coding),
		);
}
