import postgres from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { DomainError } from "./domain-error.ts";
import { adminUrl } from "./testing/database.ts";
import { isTransientError } from "./transient-error.ts";

const sql = postgres(adminUrl(), { max: 1 });

afterAll(() => sql.end());

function errorOf(statement: string): Promise<unknown> {
	return sql.unsafe(statement).then(
		() => undefined,
		(error: unknown) => error,
	);
}

function refusal(kind: "invalid" | "unavailable"): DomainError {
	return new DomainError({ kind, reason: "test", message: "Test." });
}

describe("isTransientError", () => {
	it.each([
		["a statement time-out", "set statement_timeout = 1; select pg_sleep(1)"],
		["a missing table", "select * from no_such_table"],
		["a terminated session", "select pg_terminate_backend(pg_backend_pid())"],
	])("is true for %s", async (_name, statement) => {
		expect(isTransientError(await errorOf(statement))).toBe(true);
		await errorOf("reset statement_timeout");
	});

	it.each([
		["a value out of range", "select 300000::smallint"],
		["a division by zero", "select 1 / 0"],
		["text that is no JSON", "select '{'::jsonb"],
	])(
		"is false for %s, which the event itself brought",
		async (_name, statement) => {
			expect(isTransientError(await errorOf(statement))).toBe(false);
		},
	);

	it("is true for a server that refuses the connection", async () => {
		const closed = postgres("postgres://127.0.0.1:1/none", { max: 1 });
		const error = await closed`select 1`.catch((error: unknown) => error);
		expect(isTransientError(error)).toBe(true);
	});

	it("tells refusals by their kind, and takes other errors for the event's fault", () => {
		expect(isTransientError(refusal("unavailable"))).toBe(true);
		expect(isTransientError(refusal("invalid"))).toBe(false);
		expect(isTransientError(new TypeError("cannot decode"))).toBe(false);
		expect(isTransientError("text")).toBe(false);
	});
});
