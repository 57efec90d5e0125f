import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { Call, Command } from "../command.ts";
import { CommandError } from "../errors.ts";
import { describeFailure, mayBeDone } from "../failure.ts";
import type { Output } from "../output.ts";
import { organizationIdFrom, parseInteger } from "../values.ts";

export const quotaCommands: readonly Command[] = [
	{
		line: "quota grant <organization> <units>",
		summary: "Adds units to a balance; a negative number takes them away",
		options: {
			"--note <text>": "why, shown in the ledger",
			"--grant-id <uuid>":
				"a repeated grant with this id changes nothing (default: a new id)",
		},
		run: grantQuota,
	},
];

async function grantQuota(call: Call): Promise<Output> {
	const units = parseInteger("<units>", call.text("units"));
	const organizationId = await organizationIdFrom(call);
	const grantId = call.option("grant-id") ?? uuidv7();
	const note = call.option("note") ?? "";
	const { balance } = await call.clients
		.accounts()
		.grantQuota(
			{ organizationId, units: BigInt(units), note, grantId },
			{ signal: call.interrupt },
		)
		.catch((error: unknown) => {
			throw mayBeDone(error) ? unknownOutcome(call, error, grantId) : error;
		});
	const shown = { organization_id: organizationId, units, balance };
	return { content: { ...shown, grant_id: grantId } };
}

/** The repetition needs the same id: with another one the units would be granted twice. */
function unknownOutcome(
	{ interrupt }: Call,
	error: unknown,
	grantId: string,
): CommandError {
	const { reason, message } = interrupt.aborted
		? { reason: "interrupted", message: "Interrupted." }
		: describeFailure(error);
	return new CommandError(
		`${message} The grant may have been made; repeat it with --grant-id ${grantId}, so that it counts once.`,
		reason,
	);
}
