import { z } from "zod";
import {
	envAddresses,
	envBool,
	envInt,
	envPairs,
	envPort,
	envUrl,
} from "./env.ts";

export type Env = Record<string, string | undefined>;

/** A setting is missing or malformed; the message lists every one of them, never a value. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

/** An empty variable counts as absent. Throws {@link ConfigError} naming every bad variable at once. */
export function readConfig<S extends z.ZodObject>(
	schema: S,
	env: Env,
): z.infer<S> {
	const present = Object.fromEntries(
		Object.entries(env).filter(([, value]) => value !== ""),
	);
	const result = schema.safeParse(present);
	if (result.success) return result.data;
	const problems = result.error.issues.map((issue) => {
		const name = issue.path.join(".");
		return present[name] === undefined
			? `${name} is missing`
			: `${name}: ${issue.message}`;
	});
	throw new ConfigError(`Bad settings: ${problems.join("; ")}.`);
}

/** Tables are in a schema of the service's name unless a setting says otherwise. */
export const serviceConfig = (name: string) => ({
	DATABASE_URL: envUrl(["postgres:", "postgresql:"]),
	DATABASE_SCHEMA: z
		.string()
		.regex(/^[a-z_][a-z0-9_]{0,62}$/, "must be a lower-case identifier")
		.default(name),
	DATABASE_POOL_SIZE: envInt(1, 200).default(10),
	/** "by_job": a job that owns the schema applies them, and the service waits for it. */
	MIGRATIONS: z.enum(["at_start", "by_job"]).default("at_start"),
	RPC_HOST: z.string().default("127.0.0.1"),
	RPC_PORT: envPort(),
	/** True: the names of services and methods are told to callers without a token too. */
	RPC_OPEN_REFLECTION: envBool().default(false),
	OPS_HOST: z.string().default("127.0.0.1"),
	OPS_PORT: envPort(),
	/** After SIGTERM: not ready, calls are served as before, until no balancer sends new ones. */
	DRAIN_WAIT_S: envInt(0, 10).default(0),
	/** The service's own private key, and the public ones of all. */
	IDENTITY_KEY_FILE: z.string(),
	TRUSTED_KEYS_FILE: z.string(),
	EVENT_BUS: z.enum(["postgres", "kafka"]),
	KAFKA_BROKERS: envAddresses().optional(),
	KAFKA_TLS_CA_FILE: z.string().optional(),
	KAFKA_SASL_MECHANISM: z
		.enum(["plain", "scram-sha-256", "scram-sha-512", "oauthbearer"])
		.optional(),
	KAFKA_USERNAME: z.string().optional(),
	KAFKA_PASSWORD: z.string().optional(),
	KAFKA_TOKEN_FILE: z.string().optional(),
	KAFKA_TOKEN_URL: envUrl(["http:", "https:"]).optional(),
	KAFKA_TOKEN_SCOPE: z.string().optional(),
	BUS_DATABASE_URL: envUrl(["postgres:", "postgresql:"]).optional(),
	LOG_LEVEL: z
		.enum(["trace", "debug", "info", "warn", "error", "fatal"])
		.default("info"),
	/** Traces are off without it. */
	OTEL_EXPORTER_OTLP_ENDPOINT: envUrl(["http:", "https:"]).optional(),
	OTEL_EXPORTER_OTLP_HEADERS: envPairs().default({}),
	/** Added to what every span says of its process. */
	OTEL_RESOURCE_ATTRIBUTES: envPairs().default({}),
	OTEL_TRACES_SAMPLER: z
		.enum([
			...(["always_on", "always_off", "traceidratio"] as const),
			...(["parentbased_always_on", "parentbased_always_off"] as const),
			"parentbased_traceidratio",
		])
		.default("parentbased_always_on"),
	/** Share of the traces that begin here, for the samplers by ratio. */
	OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
	RPC_TLS_CERT_FILE: z.string().optional(),
	RPC_TLS_KEY_FILE: z.string().optional(),
	RPC_TLS_CA_FILE: z.string().optional(),
});

const commonSchema = z.object(serviceConfig("service"));

export type RpcConfig = Pick<
	z.infer<typeof commonSchema>,
	"RPC_HOST" | "RPC_PORT" | "RPC_OPEN_REFLECTION"
>;

/** What {@link serviceConfig} reads, but for {@link RpcConfig}: the gateway has no RPC server. */
export type CommonConfig = Omit<z.infer<typeof commonSchema>, keyof RpcConfig>;
