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
	if (!response.ok)
		throw new Error(`KAFKA_TOKEN_URL responded with ${response.status}.`);
	const { access_token } = (await response.json()) as { access_token?: string };
	if (typeof access_token !== "string")
		throw new Error("KAFKA_TOKEN_URL responded without an access_token.");
	return access_token;
}
