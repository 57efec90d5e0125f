import { CLOCK_TIME_PATTERN } from "@airtower/proto/rules/clock-time";
import { z } from "zod";
import { successBody } from "./common.ts";
import { examples } from "./examples.ts";

const clockTime = () =>
	z.string().regex(new RegExp(CLOCK_TIME_PATTERN), {
		message: "must be a time of the day, from 00:00 to 23:59",
	});

const hours = {
	start: clockTime().meta({
		description: "Local time from which nothing goes, for example 21:00.",
	}),
	end: clockTime().meta({
		description:
			"Local time from which messages go again. Before `start`: that of the next day. An hour of each day at least stays open.",
	}),
};
const example = { start: "21:00", end: "08:00" };

export const setQuietHoursBody = z
	.strictObject(hours)
	.meta({ id: "SetQuietHoursRequest", description: "Quiet hours to set." })
	.register(examples, { example });

const quietHours = z
	.strictObject(hours)
	.meta({
		id: "QuietHours",
		description: "When no bulk messages go, by the recipient's clock.",
	})
	.register(examples, { example });

export const getQuietHoursReply = successBody({
	quietHours: quietHours
		.nullable()
		.meta({ description: "Null when none are set." }),
})
	.meta({
		id: "GetQuietHoursReply",
		description: "The quiet hours of the organization.",
	})
	.register(examples, { example: { success: true, quietHours: example } });

export const setQuietHoursReply = successBody({ quietHours });
