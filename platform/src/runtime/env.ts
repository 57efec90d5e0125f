import { z } from "zod";
import { parseKeyRing } from "../sealing/key-ring.ts";

export function envInt(min: number, max: number) {
	return z
		.string()
		.regex(/^-?\d+$/, "must be a whole number")
		.transform(Number)
		.pipe(z.number().min(min).max(max));
}

export const envPort = () => envInt(0, 65_535);

export const envBool = () =>
	z.enum(["true", "false"]).transform((value) => value === "true");

/** An absolute URL with one of the protocols, for example `["http:", "https:"]`. */
export function envUrl(protocols: readonly string[]) {
	return z
		.string()
		.refine(
			(value) =>
				URL.canParse(value) && protocols.includes(new URL(value).protocol),
			`must be a URL starting with ${protocols.join("// or ")}//`,
		)
		.refine((value) => {
			const { username = "", password = "" } = URL.parse(value) ?? {};
			return decode(username + password) !== undefined;
		}, "must have its user and password percent-encoded, so that % is %25");
}

/** Undefined for what is not percent-encoded. */
function decode(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/** Where a service is called: a URL, or several joined by commas, one for each replica without a common name. */
export const envRpcUrl = () =>
	z.string().refine((value) => {
		const one = envUrl(["http:", "https:"]);
		return value.split(",").every((url) => one.safeParse(url).success);
	}, "must be a URL starting with http:// or https://, or several joined by commas");

export const envList = () =>
	z
		.string()
		.transform((value) =>
			value
				.split(",")
				.map((entry) => entry.trim())
				.filter((entry) => entry !== ""),
		)
		.pipe(z.array(z.string()).min(1));

/** `host:port`, or several joined by commas. */
export const envAddresses = () =>
	envList().refine(
		(addresses) => addresses.every((one) => /^[^\s/]+:\d{1,5}$/.test(one)),
		"must be host:port, or several joined by commas",
	);

/** `name=value,name=value`, the values percent-encoded. */
export const envPairs = () =>
	z
		.string()
		.regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, "must be name=value,name=value")
		.transform((text, context) =>
			Object.fromEntries(
				text.split(",").map((pair) => {
					const [name = "", ...rest] = pair.split("=");
					const value = decode(rest.join("=").trim());
					if (value === undefined)
						context.addIssue("must have its values percent-encoded");
					return [name.trim(), value ?? ""];
				}),
			),
		);

/** Secrets as `id:base64[,id:base64]`, 32 bytes or more each; the first is current. */
export const envKeyRing = () =>
	z.string().transform((value, context) => {
		try {
			return parseKeyRing(value);
		} catch (error) {
			context.addIssue(error instanceof Error ? error.message : "is malformed");
			return z.NEVER;
		}
	});
