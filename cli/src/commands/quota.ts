import { uuidv7 } from "@airtower/platform/runtime/ids";
import { type Call, type Command, CommandError } from "../command.ts";
import { describeFailure, mayBeDone } from "../failure.ts";
import { record } from "../output.ts";
import { numberOf, organizationOf } from "../values.ts";

export const grantQuota: Command = {
	name: "quota grant",
	summary: "Adds units to a balance; a negative number takes them away",
	args: ["organization", "units"],
	options: {
		note: { value: "text", about: "why, shown in the ledger" },
		"grant-id": {
			value: "uuid",
			about:
				"a repeated grant with this id changes nothing (default: a new id)",
		},
	},
	run: async (call) => {
		const units = numberOf("<units>", call.text("units"));
		const organizationId = await organizationOf(call);
		const grantId = call.option("grant-id") ?? uuidv7();
		const { balance } = await call.clients.accounts
			.grantQuota(
				{
					organizationId,
					units: BigInt(units),
					note: call.option("note") ?? "",
					grantId,
				},
				{ signal: call.interrupt },
			)
			.catch((error: unknown) => {
				throw mayBeDone(error) ? unknownOutcome(call, error, grantId) : error;
			});
		return record({
			organization_id: organizationId,
			units,
			balance,
			grant_id: grantId,
		});
	},
};

/** Another id would make a second grant of it. */
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
