import { z } from "zod";
import { envList, envUrl } from "../runtime/env.ts";
import { parseNetwork, parsePorts } from "./address-guard.ts";

/** The settings of a service that calls hosts outside of the deployment. */
export function egressSettings() {
	return {
		BLOCKED_NETWORKS: envParsedList(
			parseNetwork,
			"must list networks such as 203.0.113.0/24",
		),
		BLOCKED_PORTS: envParsedList(
			parsePorts,
			"must list ports such as 25 or 6000-6063",
		),
		/** URL of an HTTP proxy that all such requests go through. */
		EGRESS_PROXY: envUrl(["http:", "https:"]).optional(),
	};
}

function envParsedList<T>(parse: (text: string) => T, message: string) {
	return envList()
		.transform((texts, context) => {
			try {
				return texts.map(parse);
			} catch {
				context.addIssue(message);
				return z.NEVER;
			}
		})
		.default([]);
}
