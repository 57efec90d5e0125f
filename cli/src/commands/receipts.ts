import type {
	DiagnoseReceiptsResponse,
	Finding,
} from "@airtower/proto/messaging/v1/receipt_doctor";
import type { Call, Command } from "../command.ts";
import { type Output, toRow } from "../output.ts";

export const receiptCommands: readonly Command[] = [
	{
		line: "receipts list",
		summary:
			"Lists the operator accounts whose receipts match no message and are parked, also those without a route",
		run: listParked,
	},
	{
		line: "receipts diagnose <route>",
		summary:
			"Tells what would match a route's parked receipts; an account in place of the route where it has none any more",
		run: diagnose,
	},
	{
		line: "receipts apply <route> <proposal>",
		summary:
			"Applies what diagnose proposes, for example ids=hex-dec or account=acme, and looks at the parked receipts again",
		run: apply,
	},
];

async function listParked({ clients }: Call): Promise<Output> {
	const { accounts, isPartial } = await clients
		.receiptDoctor()
		.listParkedReceipts({});
	return {
		content: accounts.map((parked) => {
			const [sample] = parked.samples;
			return {
				account: parked.account,
				routes: parked.routes.join(", ") || "none",
				...toRow(parked, "receipts", "ambiguous", "oldestAt", "newestAt"),
				newest_id: sample?.operatorMessageId ?? "",
				newest_says: sample?.operatorError ?? "",
				newest_numbers: sample?.numbers.join(", ") ?? "",
			};
		}),
		whenEmpty: "No receipt is parked.",
		note: isPartial
			? "There are more receipts; the newest ones are counted."
			: "Receipts of the last seconds are among them: they wait for the operator's response.",
	};
}

async function diagnose(call: Call): Promise<Output> {
	const account = call.text("route");
	const found = await call.clients
		.receiptDoctor()
		.diagnoseReceipts({ account });
	return {
		content: {
			account: found.account,
			routes: found.routes.join(", ") || "none",
			...toRow(found, "receipts", "parts", "partsSince"),
			conclusions: found.conclusions.map((conclusion) => ({ conclusion })),
			tried: found.findings.map(show),
		},
		note: noteOn(account, found),
	};
}

function show({ proposal, tally, isProposed }: Finding) {
	return {
		proposal,
		proposed: isProposed,
		...toRow(tally, "matched", "matchedWithoutNumber"),
		...toRow(tally, "ambiguous", "contradicted"),
	};
}

function noteOn(
	account: string,
	{ findings }: DiagnoseReceiptsResponse,
): string | undefined {
	const [best] = findings.filter(({ isProposed }) => isProposed);
	return best && `admin receipts apply ${account} ${best.proposal} applies it.`;
}

/** Step by step; a command that was interrupted is repeated and does what is left. */
async function apply(call: Call): Promise<Output> {
	const account = call.text("route");
	const proposal = call.text("proposal");
	const doctor = call.clients.receiptDoctor();
	const changed = new Set<string>();
	let parts = 0n;
	let receipts = 0n;
	let cursor = "";
	do {
		const step = await doctor.applyDiagnosis({ account, proposal, cursor });
		for (const route of step.routesChanged) changed.add(route);
		parts += step.partsRekeyed;
		receipts += step.receiptsReplayed;
		cursor = step.cursor;
	} while (cursor !== "");
	return {
		content: {
			account,
			proposal,
			routes_changed: [...changed].join(", "),
			parts_rekeyed: parts,
			receipts_replayed: receipts,
		},
		note: "The receipts are looked at again now; admin receipts list shows in a minute what is left.",
	};
}
