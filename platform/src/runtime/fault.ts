import { ConfigError } from "./config.ts";

/** Where a process can be made to end, for tests and `npm run chaos`. */
const faultPoints = [
	"accounts.after_reserve_commit",
	"accounts.reconciler_before_commit",
	"accounts.reconciler_after_commit",
	"accounts.daily_report_before_commit",
	"campaigns.after_snapshot_step",
	"campaigns.after_send",
	"consumer.after_commit",
	"messaging.before_commit",
	"messaging.after_commit",
	"messaging.after_claim",
	"messaging.after_submit",
	"messaging.after_receipts",
	"messaging.before_move_commit",
	"messaging.after_cancel",
	"messaging.after_inbound",
	"relay.after_publish",
	"webhooks.mid_post",
	"whatsapp.before_commit",
	"whatsapp.after_commit",
	"whatsapp.after_claim",
	"whatsapp.after_submit",
] as const;

export type FaultPoint = (typeof faultPoints)[number];

const planned = readPlan(process.env.FAULT_POINTS);

/** Kills the process at `FAULT_POINTS=messaging.after_commit`, at the third pass with `...:3`. */
export function fault(point: FaultPoint): void {
	if (planned.size === 0) return;
	const passesLeft = planned.get(point);
	if (passesLeft === undefined) return;
	if (passesLeft > 1) planned.set(point, passesLeft - 1);
	else process.kill(process.pid, "SIGKILL");
}

/** A misspelled one would never be passed, and its test prove nothing. @throws ConfigError naming the first */
export function checkFaultPoints(text: string | undefined): void {
	for (const [point, passes] of readPlan(text)) {
		const isKnown = faultPoints.some((known) => known === point);
		if (!isKnown || !Number.isInteger(passes) || passes < 1)
			throw new ConfigError(
				`FAULT_POINTS takes ${faultPoints.join(", ")}, each with :<pass> at most, not "${point}".`,
			);
	}
}

function readPlan(text: string | undefined): Map<string, number> {
	const entries = (text ?? "").split(",").filter((entry) => entry !== "");
	return new Map(
		entries.map((entry) => {
			const [point = "", pass = "1"] = entry.split(":");
			return [point, Number(pass)];
		}),
	);
}
