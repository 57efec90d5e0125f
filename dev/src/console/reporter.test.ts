import { expect, it } from "vitest";
import { readLogLine } from "./reporter.ts";

it("shows a structured line as its message, with the error's own words", () => {
	const line = JSON.stringify({
		level: "warn",
		msg: "the route is down",
		err: { message: "connect ECONNREFUSED" },
	});
	expect(readLogLine(line)).toEqual({
		level: "warn",
		text: "the route is down: connect ECONNREFUSED",
		isTrouble: true,
	});
});

it("keeps what is only information out of a person's way", () => {
	expect(readLogLine('{"level":"info","msg":"ready"}').isTrouble).toBe(false);
});

it.each(["TypeError: x is not a function", "{not json", '{"level":3}'])(
	"shows %s as it is, because nobody meant to say it",
	(line) => {
		expect(readLogLine(line)).toEqual({
			level: "",
			text: line,
			isTrouble: true,
		});
	},
);
