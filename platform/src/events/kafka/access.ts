import { readFileSync } from "node:fs";
import { connect, isIP } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { ISocketFactory, SASLOptions } from "kafkajs";
import { ConfigError } from "../../runtime/config.ts";

/** How the brokers let this process in; plain text for anybody when all of it is absent. */
export interface KafkaAccessSettings {
	readonly KAFKA_TLS_CA_FILE?: string | undefined;
	readonly KAFKA_SASL_MECHANISM?:
		| "plain"
		| "scram-sha-256"
		| "scram-sha-512"
		| undefined;
	readonly KAFKA_USERNAME?: string | undefined;
	readonly KAFKA_PASSWORD?: string | undefined;
}

export interface KafkaAccess {
	/** Authority that the brokers' certificates must come from; their names are checked too. */
	readonly ca?: Buffer;
	readonly sasl?: SASLOptions;
}

const KEEP_ALIVE_MS = 60_000;

/** Reads the authority's file. Throws ConfigError naming the setting that is missing, bad or unsafe. */
export function readKafkaAccess(settings: KafkaAccessSettings): KafkaAccess {
	const { KAFKA_TLS_CA_FILE: file, KAFKA_SASL_MECHANISM: mechanism } = settings;
	const ca = file === undefined ? undefined : readAuthority(file);
	if (mechanism === undefined) return { ...(ca && { ca }) };
	const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings;
	if (username === undefined || password === undefined)
		throw new ConfigError(
			"KAFKA_SASL_MECHANISM needs KAFKA_USERNAME and KAFKA_PASSWORD.",
		);
	if (mechanism === "plain" && ca === undefined)
		throw new ConfigError(
			"KAFKA_SASL_MECHANISM=plain would send the password readable; set KAFKA_TLS_CA_FILE, or use scram-sha-512.",
		);
	return {
		...(ca && { ca }),
		sasl: { mechanism, username, password } as SASLOptions,
	};
}

function readAuthority(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch (cause) {
		throw new ConfigError("The file of KAFKA_TLS_CA_FILE cannot be read.", {
			cause,
		});
	}
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
