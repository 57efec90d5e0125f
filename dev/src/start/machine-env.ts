import { fileURLToPath } from "node:url";
import type { ExtraEnv } from "./system.ts";

/** Compiled code of earlier starts, unless another place is named: a process is ready in half the time. */
const NODE_COMPILE_CACHE = fileURLToPath(
	new URL("../../../.cache/node", import.meta.url),
);

/** Variables of the user's own environment that every process may see: the machine's, and where traces go. */
const PASSED_ON = [
	"PATH",
	"HOME",
	"LANG",
	"TZ",
	"TMPDIR",
	"NODE_EXTRA_CA_CERTS",
	"NODE_COMPILE_CACHE",
	"OTEL_EXPORTER_OTLP_ENDPOINT",
	"OTEL_EXPORTER_OTLP_HEADERS",
	"OTEL_TRACES_SAMPLER",
	"OTEL_TRACES_SAMPLER_ARG",
];
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

/** Settings of messaging that a user of the simulator likes to try. */
const MESSAGING = [
	"MESSAGE_VALIDITY_S",
	"NO_RECEIPT_AFTER_S",
	"UNKNOWN_WAIT_S",
	"UNKNOWN_POLICY",
	"UNKNOWN_DEADLINE_S",
];

export function messagingEnv(): ExtraEnv {
	return passOn(MESSAGING);
}

/** Its settings that a user may like to try. */
export function campaignsEnv(): ExtraEnv {
	return passOn([
		"CAMPAIGN_QUOTA_SHARE_PERCENT",
		"MAX_CONTACTS",
		"MAX_OPEN_CAMPAIGNS",
	]);
}

/** Where requests to a user's own network may not go, and through what they go: callbacks, and SMS over HTTP. */
export function egressEnv(): ExtraEnv {
	return passOn(["BLOCKED_NETWORKS", "BLOCKED_PORTS", "EGRESS_PROXY"]);
}

/** What a process needs of the machine, and how much it logs; a level that only other programs know is theirs. */
export function machineEnv(): ExtraEnv {
	const level = process.env.LOG_LEVEL?.toLowerCase() ?? "";
	const env = { NODE_COMPILE_CACHE, ...passOn(PASSED_ON) };
	return LOG_LEVELS.includes(level) ? { ...env, LOG_LEVEL: level } : env;
}

function passOn(names: readonly string[]): ExtraEnv {
	const env: Record<string, string> = {};
	for (const name of names) {
		const value = process.env[name];
		if (value !== undefined) env[name] = value;
	}
	return env;
}
