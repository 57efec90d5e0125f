import { expect, test } from "vitest";
import { createLogger } from "./log.ts";
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
