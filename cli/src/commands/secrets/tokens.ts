import { mintToken } from "@airtower/platform/identity/caller-token";
import {
	isPersonName,
	MAX_ADMIN_AGE_S,
} from "@airtower/platform/identity/token-verifier";
import type { Call, Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import type { Output } from "../../output.ts";
import { writeSecret } from "../../secret-file.ts";
import { parseInteger } from "../../values.ts";

const HOUR_S = 3_600;
const MAX_HOURS = MAX_ADMIN_AGE_S / HOUR_S;
const DEFAULT_HOURS = "8";

export const tokenCommands: readonly Command[] = [
	{
		line: "tokens issue",
		summary: "Issues an admin token to a person, for some hours",
		required: { "--name <person>": "who acts with it, as the audit shows it" },
		options: {
			"--hours <number>": `how long it is good, 1 to ${MAX_HOURS} (default: ${DEFAULT_HOURS})`,
			"--out <path>": "new file for it, readable by you alone (default: shown)",
			"--key-file <path>":
				"the admins' private key (default: AIRTOWER_ADMIN_KEY_FILE, or that of npm start)",
		},
		isLocal: true,
		run: issueToken,
	},
];

async function issueToken(call: Call): Promise<Output> {
	const person = parseName(call.text("name"));
	const hours = parseHours(call.option("hours") ?? DEFAULT_HOURS);
	const key = await call.adminKey(call.option("key-file"));
	const token = await mintToken({
		key,
		person,
		audience: "*",
		organization: "*",
		lifetimeSeconds: hours * HOUR_S,
	});
	const about = {
		name: person,
		expires_at: new Date(Date.now() + hours * HOUR_S * 1_000),
	};
	const out = call.option("out");
	if (out === undefined) return { content: { ...about, token } };
	return { content: { ...about, file: await writeSecret(out, token) } };
}

function parseName(name: string): string {
	if (isPersonName(name) && name.trim() === name) return name;
	throw new UsageError(
		"--name must be 1 to 100 characters, without control or direction characters, and no spaces around them.",
	);
}

function parseHours(text: string): number {
	const hours = parseInteger("--hours", text, MAX_HOURS);
	if (hours >= 1) return hours;
	throw new UsageError(`--hours must be 1 to ${MAX_HOURS}, not "${text}".`);
}
