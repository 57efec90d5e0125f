import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import type { Environment } from "./checks/variables.ts";
import { programOf } from "./workload.ts";

const root = new URL("../../", import.meta.url);
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(
	JSON.parse(textOf("dev/kubernetes/compose.json")),
);

export interface ComposeService {
	readonly image: string;
	readonly command?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly env_file?: readonly string[];
	readonly volumes?: readonly string[];
	readonly networks: readonly string[];
	readonly ports?: readonly string[];
	readonly profiles?: readonly string[];
	readonly depends_on?: Readonly<
		Record<string, { readonly condition: string }>
	>;
	readonly read_only?: boolean;
	readonly cap_drop?: readonly string[];
	readonly security_opt?: readonly string[];
	readonly stop_grace_period?: string;
	readonly mem_limit?: string;
	readonly logging?: {
		readonly options?: Readonly<Record<string, string | undefined>>;
	};
	readonly healthcheck?: { readonly test: readonly string[] };
}

export interface Compose {
	readonly services: Readonly<Record<string, ComposeService>>;
	readonly volumes: Readonly<Record<string, object>>;
	readonly networks: Readonly<Record<string, object>>;
}

/** `deploy/compose.yaml`, its anchors resolved. */
export function readCompose(): Compose {
	return parse(textOf("deploy/compose.yaml"), { merge: true });
}

/** What the form of Compose files does not allow. */
export function formFaults(compose: Compose): string[] {
	const isValid: boolean = validate(compose);
	return isValid
		? []
		: (validate.errors ?? []).map(
				({ instancePath, message, params }) =>
					`${instancePath} ${message} ${JSON.stringify(params)}`,
			);
}

/** What each program of ours finds in its environment; `secrets` stands for the folder that the file names. */
export function composeEnvironments(
	compose: Compose,
	secrets: string,
): Environment[] {
	return Object.entries(compose.services).flatMap(([workload, service]) => {
		const program = programOf({
			name: workload,
			image: service.image,
			args: service.command ?? [],
		});
		const files = (service.env_file ?? []).map((file) =>
			parseEnv(readFileSync(join(secrets, "..", file), "utf8")),
		);
		const variables = Object.assign({}, ...files, service.environment);
		return program ? [{ workload, ...program, variables }] : [];
	});
}

function textOf(path: string): string {
	return readFileSync(new URL(path, root), "utf8");
}
