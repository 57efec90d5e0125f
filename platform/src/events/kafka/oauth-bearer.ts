import { ConfigError } from "../../runtime/config.ts";
import { renewedFile } from "../../runtime/renewed-file.ts";

/** Where the tokens for SASL OAUTHBEARER come from: a file that others renew, or client credentials (RFC 6749, 4.4). */
export interface TokenSettings {
	readonly KAFKA_TOKEN_FILE?: string | undefined;
	readonly KAFKA_TOKEN_URL?: string | undefined;
	readonly KAFKA_TOKEN_SCOPE?: string | undefined;
	/** Client id and secret. */
	readonly KAFKA_USERNAME?: string | undefined;
	readonly KAFKA_PASSWORD?: string | undefined;
}

const TOKEN_TIMEOUT_MS = 5_000;

/** A token for each authentication. Throws ConfigError naming what is missing. */
export function readTokenProvider(
	settings: TokenSettings,
): () => Promise<{ value: string }> {
	const { KAFKA_TOKEN_FILE: file, KAFKA_TOKEN_URL: url } = settings;
	const { KAFKA_USERNAME: id, KAFKA_PASSWORD: secret } = settings;
	if (file !== undefined) {
		const read = renewedFile("KAFKA_TOKEN_FILE", file);
		return async () => ({ value: read().trim() });
	}
	if (url === undefined || id === undefined || secret === undefined)
		throw new ConfigError(
			"KAFKA_SASL_MECHANISM=oauthbearer needs KAFKA_TOKEN_FILE, " +
				"or KAFKA_TOKEN_URL with KAFKA_USERNAME and KAFKA_PASSWORD.",
		);
	const { KAFKA_TOKEN_SCOPE: scope } = settings;
	return async () => ({ value: await fetchToken(url, { id, secret, scope }) });
}

async function fetchToken(
	url: string,
	client: { id: string; secret: string; scope: string | undefined },
): Promise<string> {
	const { id, secret, scope } = client;
	const credentials = [id, secret].map(encodeURIComponent).join(":");
	const response = await fetch(url, {
		method: "POST",
		headers: { authorization: `Basic ${btoa(credentials)}` },
		body: new URLSearchParams({
			grant_type: "client_credentials",
			...(scope !== undefined && { scope }),
		}),
		signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
	});
	const { ok, status } = response;
	if (!ok) {
		const text = `KAFKA_TOKEN_URL responded with ${status}.`;
		throw REFUSALS.has(status) ? new Error(text) : new NoTokenYet(text);
	}
	const body = await response.json().catch(() => ({}));
	const { access_token } = body as { access_token?: string };
	if (typeof access_token !== "string")
		throw new NoTokenYet("KAFKA_TOKEN_URL responded without an access_token.");
	return access_token;
}

/** To wrong credentials or to a wrong request (RFC 6749, 5.2): asking again would not mend that. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** The server of tokens is away. Like the error of a socket it has a code: a consumer that ends for it joins again. */
class NoTokenYet extends Error {
	readonly code = "NO_TOKEN_YET";
}
