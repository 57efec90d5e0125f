import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { DomainError } from "../runtime/domain-error.ts";
import { adminUrl } from "../testing/database.ts";
import { connectDatabase } from "./database.ts";
import { isOutage, isTransientError } from "./transient-error.ts";

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

async function socketFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "airtower-socket-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return folder;
}

/** What queries fail with that go through the socket in a folder, each over a connection of its own. */
async function failuresIn(folder: string, count: number): Promise<unknown[]> {
	const sql = connectDatabase({
		url: `postgres://localhost:5432/none?host=${folder}`,
		schema: "public",
		poolSize: count,
		applicationName: "test",
	});
	onTestFinished(() => sql.end({ timeout: 0 }));
	const responses = Array.from({ length: count }, () => sql`select 1`);
	return Promise.all(
		responses.map((response) => response.catch((error: unknown) => error)),
	);
}

function areTransient(errors: unknown[]): boolean {
	return errors.every(isTransientError);
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

	it("is true for a server that takes no writes", async () => {
		const sql = postgres(adminUrl(), {
			max: 1,
			connection: { default_transaction_read_only: true },
		});
		onTestFinished(() => sql.end());
		const error = await sql`create table written ()`.catch(
			(error: unknown) => error,
		);
		expect(error).toMatchObject({ code: "25006" });
		expect(error).toSatisfy(isTransientError);
	});

	it("is true for a server whose socket file is gone", async () => {
		const folder = await socketFolder();
		expect(await failuresIn(folder, 1)).toSatisfy(areTransient);
	});

	it("is true for a server that is overrun with connections", async () => {
		const folder = await socketFolder();
		const server = createServer((socket) => socket.destroy());
		onTestFinished(() => void server.close());
		server.listen({ path: join(folder, ".s.PGSQL.5432"), backlog: 1 });
		await once(server, "listening");
		expect(await failuresIn(folder, 20)).toSatisfy(areTransient);
	});

	it("is false for a file that is not there", async () => {
		const error = await readFile("/no/such/file").catch((error) => error);
		expect(isTransientError(error)).toBe(false);
	});

	it("tells refusals by their kind, and takes other errors for the event's fault", () => {
		expect(isTransientError(refusal("unavailable"))).toBe(true);
		expect(isTransientError(refusal("invalid"))).toBe(false);
		expect(isTransientError(new TypeError("cannot decode"))).toBe(false);
		expect(isTransientError("text")).toBe(false);
	});
});

describe("isOutage", () => {
	it.each([
		["28P01", (url: URL) => Object.assign(url, { password: "replaced" })],
		["3D000", (url: URL) => Object.assign(url, { pathname: "/restored" })],
	])(
		"is true for a server that lets nobody in with %s",
		async (code, change) => {
			const url = change(new URL(adminUrl()));
			const sql = postgres(url.href, { max: 1 });
			onTestFinished(() => sql.end());
			const error = await sql`select 1`.catch((error: unknown) => error);
			expect(error).toMatchObject({ code });
			expect(error).toSatisfy(isOutage);
		},
	);

	it("is false for a table that is missing: waiting brings none", async () => {
		const error = await errorOf("select * from no_such_table");
		expect(isOutage(error)).toBe(false);
	});
});
