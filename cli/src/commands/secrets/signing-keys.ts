import {
	createKeyPair,
	type KeyPair,
} from "@airtower/platform/identity/key-pair";
import type { Call, Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import type { Output } from "../../output.ts";
import { writeSecret } from "../../secret-file.ts";
import { parseList } from "../../values.ts";

export const signingKeyCommands: readonly Command[] = [
	{
		line: "signing-keys create <issuer>",
		summary:
			'Makes the key of a service, of "admin" or of a "team:<name>", and shows its entry for the trusted keys',
		required: {
			"--out <path>": "new file for the private key, readable by you alone",
		},
		options: {
			"--organizations <list>":
				"ids with commas between: the only ones that a team acts for",
		},
		isLocal: true,
		run: createSigningKey,
	},
];

async function createSigningKey(call: Call): Promise<Output> {
	const { privateKey, trustedKey } = createPair(call);
	const file = await writeSecret(
		call.text("out"),
		`${JSON.stringify(privateKey)}\n`,
	);
	return { content: { file, trusted_key: JSON.stringify(trustedKey) } };
}

function createPair(call: Call): KeyPair {
	const organizations = parseList(call, "organizations");
	try {
		return createKeyPair(
			call.text("issuer"),
			organizations.length > 0 ? organizations : undefined,
		);
	} catch (error) {
		throw new UsageError(`No such key is made: ${(error as Error).message}.`);
	}
}
