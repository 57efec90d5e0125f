import type { ResealSecretsResponse } from "@airtower/proto/ops/v1/secrets";
import { type AdminService, SEALERS } from "../../access.ts";
import type { Call, Command } from "../../command.ts";
import type { Output, Row } from "../../output.ts";

export const secretCommands: readonly Command[] = [
	{
		line: "secrets count",
		summary:
			"Counts what services store sealed under older encryption keys, and under unknown ones",
		run: async (call) =>
			toOutput(await ofEach((one) => reseal(call, one, true))),
	},
	{
		line: "secrets reseal",
		summary:
			"Seals everything anew that is stored under older encryption keys; fails when some is left",
		run: async (call) => {
			const rows = await ofEach((one) => reseal(call, one, false));
			const isDone = rows.every(({ left, unreadable }) => !left && !unreadable);
			return { ...toOutput(rows), failed: !isDone };
		},
	},
];

async function ofEach(ask: (service: AdminService) => Promise<Row>) {
	const rows: Row[] = [];
	for (const service of SEALERS) rows.push(await ask(service));
	return rows;
}

/** Batch after batch, until one is empty. */
async function reseal(
	call: Call,
	service: AdminService,
	dryRun: boolean,
): Promise<Row> {
	const client = call.clients.secretsOf(service);
	let resealed = 0;
	for (;;) {
		const batch = await client.resealSecrets({ dryRun });
		resealed += batch.resealed;
		if (batch.resealed === 0 || call.interrupt.aborted)
			return toRow(service, batch, resealed);
	}
}

function toRow(
	service: AdminService,
	{ left, unreadable, newestKeyId, olderKeyIds }: ResealSecretsResponse,
	resealed: number,
): Row {
	return {
		service,
		newest_key: newestKeyId,
		resealed,
		left,
		unreadable,
		older_keys: olderKeyIds.join(" "),
	};
}

function toOutput(rows: readonly Row[]): Output {
	return { content: rows, note: noteOf(rows) };
}

function noteOf(rows: readonly Row[]): string {
	if (rows.some(({ unreadable }) => unreadable))
		return "Unreadable secrets are sealed under keys that are not in ENCRYPTION_KEYS; put those keys back.";
	if (rows.some(({ left }) => left))
		return "Older keys are still needed; leave them in ENCRYPTION_KEYS and run this again.";
	return "Nothing is sealed under older keys; they can be removed from ENCRYPTION_KEYS.";
}
