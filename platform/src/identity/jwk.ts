import { z } from "zod";

/** Issuer of the tokens that people have. */
export const ADMIN = "admin";

const ISSUER = /^(?!team$)([a-z][a-z0-9-]{0,39}|team:[a-z0-9][a-z0-9-]{0,39})$/;

const octets = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "must be 32 bytes");

const publicKey = z.object({
	kty: z.literal("OKP"),
	crv: z.literal("Ed25519"),
	x: octets,
	kid: z.string().min(1).max(64),
	iss: z
		.string()
		.regex(ISSUER, 'must be a service\'s name, "admin" or "team:<name>"'),
});

/** A private key of a service, a team or the admins (RFC 8037), and whose it is. */
export const privateJwk = publicKey.extend({ d: octets });

export type PrivateJwk = z.infer<typeof privateJwk>;

/** An entry of the trusted keys: the one issuer that may use it and, for a team, its organizations. */
export const trustedJwk = publicKey
	.extend({
		d: z
			.never({ error: "must not be here: it makes the key private" })
			.optional(),
		organizations: z.array(z.uuid().toLowerCase()).min(1).optional(),
	})
	.refine(
		({ iss, organizations }) =>
			iss.startsWith("team:") === (organizations !== undefined),
		{ error: "a team's key names its organizations, and no other key does" },
	);

export type TrustedJwk = z.input<typeof trustedJwk>;

/** @throws Error with what is wrong, and no part of a key */
export function parseJwk<S extends z.ZodType>(
	schema: S,
	text: string,
): z.output<S> {
	return parse(schema, parseJson(text));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error("it is not JSON");
	}
}

export function parse<S extends z.ZodType>(
	schema: S,
	value: unknown,
): z.output<S> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const path = issue?.path.join(".") ?? "";
	throw new Error(path === "" ? issue?.message : `${path}: ${issue?.message}`);
}
