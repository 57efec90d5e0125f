import { connect, isIP } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { ISocketFactory, SASLOptions } from "kafkajs";
import { ConfigError } from "../../runtime/config.ts";
import { renewedFile } from "../../runtime/renewed-file.ts";
import { readTokenProvider, type TokenSettings } from "./oauth-bearer.ts";

/** How the brokers let this process in; plain text for anybody when all of it is absent. */
export interface KafkaAccessSettings extends TokenSettings {
	readonly KAFKA_TLS_CA_FILE?: string | undefined;
	readonly KAFKA_SASL_MECHANISM?:
		| "plain"
		| "scram-sha-256"
		| "scram-sha-512"
		| "oauthbearer"
		| undefined;
}

export interface KafkaAccess {
	/** Authority that the brokers' certificates must come from, of now; their names are checked too. */
	readonly ssl?: { readonly ca: string };
	readonly sasl?: SASLOptions;
}

const KEEP_ALIVE_MS = 60_000;

/** Reads the authority's file. Throws ConfigError naming the setting that is missing, bad or unsafe. */
export function readKafkaAccess(settings: KafkaAccessSettings): KafkaAccess {
	const { KAFKA_TLS_CA_FILE: file, KAFKA_SASL_MECHANISM: mechanism } = settings;
	const ssl = file === undefined ? {} : { ssl: trusting(file) };
	if (mechanism === undefined) return ssl;
	const isReadable = mechanism === "plain" || mechanism === "oauthbearer";
	if (isReadable && file === undefined)
		throw new ConfigError(
			`KAFKA_SASL_MECHANISM=${mechanism} would send the secret readable; set KAFKA_TLS_CA_FILE, or use scram-sha-512.`,
		);
	if (mechanism === "oauthbearer") {
		const oauthBearerProvider = readTokenProvider(settings);
		return { ...ssl, sasl: { mechanism, oauthBearerProvider } };
	}
	const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings;
	if (username === undefined || password === undefined)
		throw new ConfigError(
			"KAFKA_SASL_MECHANISM needs KAFKA_USERNAME and KAFKA_PASSWORD.",
		);
	return { ...ssl, sasl: { mechanism, username, password } as SASLOptions };
}

function trusting(file: string): { readonly ca: string } {
	const read = renewedFile("KAFKA_TLS_CA_FILE", file);
	return {
		get ca() {
			return read();
		},
	};
}

/** As the library's own, and without the delay that gathers small packets. */
export const openSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
	const address = { host, port };
	const serverName = isIP(host) === 0 ? { servername: host } : {};
	const socket = ssl
		? connectTls(
				{ ...address, ...serverName, ...(ssl as ConnectionOptions) },
				onConnect,
			)
		: connect(address, onConnect);
	socket.setKeepAlive(true, KEEP_ALIVE_MS);
	socket.setNoDelay(true);
	return socket;
};
