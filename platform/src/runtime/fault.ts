const planned = readPlan(process.env.FAULT_POINTS);

/** Kills the process at `FAULT_POINTS=messaging.after_commit`, at the third pass with `...:3`. */
export function fault(point: string): void {
	if (planned.size === 0) return;
	const passesLeft = planned.get(point);
	if (passesLeft === undefined) return;
	if (passesLeft > 1) planned.set(point, passesLeft - 1);
	else process.kill(process.pid, "SIGKILL");
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
