import type { QuietHours } from "@airtower/proto/messaging/v1/quiet_hours";
import { parseClockTime, toClockTime } from "@airtower/proto/rules/clock-time";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import type { Output } from "../output.ts";
import { organizationIdFrom } from "../values.ts";

export const quietHoursCommands: readonly Command[] = [
	{
		line: "quiet-hours show <organization>",
		summary:
			"Shows when an organization's bulk messages wait, by the recipient's clock",
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			const { quietHours } = await call.clients
				.quietHours()
				.getQuietHours({ organizationId });
			return show(quietHours);
		},
	},
	{
		line: "quiet-hours set <organization>",
		summary:
			"Lets bulk messages wait for the end of these hours; what was accepted before keeps its time",
		required: {
			"--from <time>": "local time from which nothing goes, for example 21:00",
			"--until <time>":
				"local time from which messages go again, for example 08:00",
		},
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			const { quietHours } = await call.clients.quietHours().setQuietHours({
				organizationId,
				quietHours: {
					startMinute: parseTime(call, "from"),
					endMinute: parseTime(call, "until"),
				},
			});
			return show(quietHours);
		},
	},
	{
		line: "quiet-hours clear <organization>",
		summary: "Lets bulk messages go at any time, as is the default",
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			await call.clients.quietHours().clearQuietHours({ organizationId });
			return show(undefined);
		},
	},
];

function parseTime(call: Call, name: string): number {
	const given = call.option(name) ?? "";
	const minute = parseClockTime(given);
	if (minute !== undefined) return minute;
	throw new UsageError(
		`--${name} must be a time from 00:00 to 23:59, not "${given}".`,
	);
}

function show(quietHours: QuietHours | undefined): Output {
	const rows = quietHours === undefined ? [] : [quietHours];
	return {
		content: rows.map(({ startMinute, endMinute }) => ({
			from: toClockTime(startMinute),
			until: toClockTime(endMinute),
		})),
		whenEmpty: "Bulk messages go at any time: no quiet hours are set.",
	};
}
