import { expect, test } from "vitest";
import { createLogger, createRepeatedTrouble } from "./log.ts";
import { withRequestId } from "./request-context.ts";

function capture() {
	const lines: string[] = [];
	const log = createLogger({
		service: "test",
		level: "info",
		destination: { write: (line) => void lines.push(line) },
	});
	return { log, lines };
}

test("secrets and bodies never reach a log line", () => {
	const { log, lines } = capture();
	log.info(
		{ apiKey: "k-1", message: { body: "text-1", token: "t-1" } },
		"sent",
	);
	expect(lines.join()).not.toMatch(/k-1|text-1|t-1/);
});

test("an error of the database is logged without the rows that it quotes", () => {
	const { log, lines } = capture();
	const error = Object.assign(new Error("duplicate key"), {
		code: "23505",
		detail: "Failing row contains (+33612345678, Your code is 123456)",
	});
	log.error({ err: error }, "failed");
	expect(lines.join()).toContain("duplicate key");
	expect(lines.join()).toContain("23505");
	expect(lines.join()).not.toContain("123456");
});

test("a line carries the id of the request being served", () => {
	const { log, lines } = capture();
	withRequestId("req-7", () => log.info("inside"));
	log.info("outside");
	expect(JSON.parse(lines[0] ?? "")).toMatchObject({ requestId: "req-7" });
	expect(JSON.parse(lines[1] ?? "")).not.toHaveProperty("requestId");
});

test("what fails again and again is one line for each error and level, repeated with its count, and one when it is over", () => {
	const { log, lines } = capture();
	const told = () =>
		lines.splice(0).map((line) => {
			const { level, loop, count, msg } = JSON.parse(line);
			return { level, loop, count, msg };
		});
	const line = (level: string, count: number, msg = "loop failed") => ({
		level,
		loop: "relay",
		count,
		msg,
	});
	const trouble = createRepeatedTrouble(log, { loop: "relay" }, 60_000);
	const fail = (level: "warn" | "error", message: string) =>
		trouble.tell(level, { err: new Error(message) }, "loop failed");
	for (let failures = 0; failures < 2; failures++) fail("warn", "no database");
	for (let failures = 0; failures < 530; failures++)
		fail("error", "no database");
	fail("error", "no disk");
	trouble.over("loop works again");
	trouble.over("loop works again");
	expect(told()).toEqual([
		line("warn", 1),
		line("error", 3),
		line("error", 533),
		line("info", 533, "loop works again"),
	]);
	fail("error", "no disk");
	trouble.over("loop works again");
	expect(told()).toEqual([]);

	const impatient = createRepeatedTrouble(log, { loop: "relay" }, 0);
	for (let failures = 0; failures < 2; failures++)
		impatient.tell("warn", { err: new Error("again") }, "loop failed");
	expect(told()).toEqual([line("warn", 1), line("warn", 2)]);
});
