import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "@airtower/platform/testing/eventually";
import { frozenMs, LONGEST_WAIT_MS } from "@airtower/platform/testing/frozen";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { reconcileReservations } from "../src/jobs/reconcile-reservations.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import {
	balanceOf,
	organizationWith,
	reservationsOf,
} from "./support/organizations.ts";

const PROGRAM = fileURLToPath(
	new URL("support/frozen-reconciler.ts", import.meta.url),
);

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("units come back in time while a reconciler stands still in its transaction, and others can send", async () => {
	const { url, schema } = service.database;
	const organizationId = await organizationWith(service, 100);
	const reservations = reservationsOf(organizationId, 10);
	await service.accounts.reserveQuota({ reservations });
	const frozen = spawn(process.execPath, [PROGRAM, url, schema], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void frozen.kill("SIGKILL"));
	await once(frozen.stdout, "data");
	const frozenAt = performance.now();
	do {
		const startedAt = performance.now();
		const more = reservationsOf(organizationId, 5);
		await service.accounts.reserveQuota({ reservations: more });
		await eventually(
			async () => {
				await reconcileReservations(service.ctx);
				expect(await balanceOf(service, organizationId)).toBe(100);
			},
			{ timeoutMs: LONGEST_WAIT_MS },
		);
		expect(performance.now() - startedAt).toBeLessThan(LONGEST_WAIT_MS);
	} while (performance.now() < frozenAt + frozenMs(0));
	frozen.kill("SIGCONT");
	const [word] = await once(frozen.stdout, "data");
	expect(String(word)).not.toContain("settling");
});
