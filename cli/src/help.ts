import type { Command, OptionSpec } from "./command.ts";
import { groupOf } from "./parse-line.ts";
import { SHARED_OPTIONS } from "./shared-options.ts";

const PROGRAM = "npm run admin --";
const ENVIRONMENT = `Acts on the system that npm start runs, or, when AIRTOWER_ADMIN_TOKEN or the services' CALLER_TOKEN_KEYS are
set, on the services at AIRTOWER_{ACCOUNTS,MESSAGING,WHATSAPP,CAMPAIGNS,WEBHOOKS}_RPC_URL.
With mutual TLS, RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE and RPC_TLS_CA_FILE as the services have them. npx airtower-admin is the same
command without npm's own lines. An <organization> is given by id or by name. Exit code: 0 done, 1 refused or failed, 2 wrong command line.
`;

/** Help on all commands, or on those of one group. */
export function helpOnAll(
	commands: readonly Command[],
	group: string | undefined,
): string {
	const shown = commands.filter(
		(command) => group === undefined || groupOf(command) === group,
	);
	const lines = shown.map((command) => [shapeOf(command), command.summary]);
	return `Operates Airtower: ${PROGRAM} <command> [options]; --help after a command shows its options.

${columns(lines)}
${ENVIRONMENT}`;
}

/** Help on one command. */
export function helpOn(command: Command): string {
	const specs = Object.entries({ ...command.options, ...SHARED_OPTIONS });
	const lines = specs.map(([name, spec]) => [
		optionOf(name, spec),
		spec.required ? `${spec.about} (required)` : spec.about,
	]);
	return `${PROGRAM} ${usageOf(command)} [options]

${command.summary}.

${columns(lines)}
${ENVIRONMENT}`;
}

function usageOf(command: Command): string {
	const required = Object.entries(command.options ?? {})
		.filter(([, spec]) => spec.required)
		.map(([option, spec]) => optionOf(option, spec));
	return [shapeOf(command), ...required].join(" ");
}

function shapeOf({ name, args }: Command): string {
	return [name, ...args.map((arg) => `<${arg}>`)].join(" ");
}

function optionOf(name: string, { value }: OptionSpec): string {
	return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

function columns(lines: readonly (readonly string[])[]): string {
	const width = Math.max(...lines.map(([left = ""]) => left.length));
	return lines
		.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}\n`)
		.join("");
}
