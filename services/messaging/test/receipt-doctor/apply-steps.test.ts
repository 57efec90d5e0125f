import { expect, test } from "vitest";
import { refusalOf } from "../support/clients.ts";
import { outcomes } from "../support/rows.ts";
import { doctorClient, numberOf, startDoctorWorld } from "./doctor-world.ts";

const RECEIPTS = 2_500;

function told(count: number, from = 0) {
	return Array.from({ length: count }, (_, n) => {
		const number = 0xabc_0000 + from + n;
		return {
			responded: String(number),
			receipted: number.toString(16),
			to: numberOf(from + n),
		};
	});
}

test("an application that ends in the middle is begun anew and does what is left; two at once do no harm", async () => {
	const world = await startDoctorWorld("hex");
	const ids = await world.tell(told(RECEIPTS));
	const proposal = "ids=dec-hex";
	let cursor = "";
	for (let step = 1; step <= 3; step++)
		({ cursor } = await world.doctor.applyDiagnosis({
			account: "one",
			proposal,
			cursor,
		}));
	expect(cursor).toMatch(/^receipts:\d+$/);
	await world.replay();
	expect((await world.delivered()).length).toBeGreaterThan(0);
	expect(await world.parked()).toBeGreaterThan(0);

	const [again] = await Promise.all([
		world.apply("one", proposal),
		world.apply("one", proposal),
		world.replay(),
	]);
	expect(again).toMatchObject({ routes: [], parts: 0 });
	await world.replay();
	expect(await world.delivered()).toEqual(ids.toSorted());
	expect(await world.parked()).toBe(0);
	const ended = (await outcomes(world.sql)).map(({ messageId }) => messageId);
	expect(ended).toHaveLength(ids.length);
	expect(new Set(ended)).toEqual(new Set(ids));

	const third = await world.apply("one", proposal);
	expect(third).toMatchObject({ routes: [], parts: 0, receipts: 0 });
});

test("a receipt that is held by its next look is not left out", async () => {
	const world = await startDoctorWorld("hex");
	await world.tell(told(20));
	const released = Promise.withResolvers<void>();
	const held = Promise.withResolvers<void>();
	const look = world.sql.begin(async (sql) => {
		await sql`
			select id
			from receipts
			where id % ${2} = 0
			for update
		`;
		held.resolve();
		await released.promise;
	});
	await held.promise;
	const account = "one";
	const proposal = "ids=dec-hex";
	let cursor = "";
	do {
		const step = { account, proposal, cursor };
		({ cursor } = await world.doctor.applyDiagnosis(step));
	} while (!/^receipts:[1-9]/.test(cursor));
	released.resolve();
	await look;
	while (cursor !== "")
		({ cursor } = await world.doctor.applyDiagnosis({
			account,
			proposal,
			cursor,
		}));
	await world.replay();
	expect(await world.delivered()).toHaveLength(20);
});

test("what is no proposal, account or cursor is refused by its field, and so is an admin of one organization", async () => {
	const { doctor, running } = await startDoctorWorld("hex");
	const apply = (account: string, proposal: string, cursor = "") =>
		refusalOf(doctor.applyDiagnosis({ account, proposal, cursor }));
	expect(await apply("one", "ids=octal")).toBe("unknown_proposal");
	expect(await apply("one", "account=one")).toBe("unknown_proposal");
	expect(await apply("one", "clock=2h")).toBe("unknown_proposal");
	expect(await apply("one", "ids=hex", "parts:nobody")).toBe("invalid_cursor");
	expect(await refusalOf(doctor.diagnoseReceipts({ account: "none" }))).toBe(
		"unknown_account",
	);
	expect(await apply("none", "ids=hex")).toBe("unknown_account");
	const one = doctorClient(
		running.port,
		"0199a1b2-0000-7000-8000-000000000001",
	);
	const account = "one";
	const acts = [
		() => one.listParkedReceipts({}),
		() => one.diagnoseReceipts({ account }),
		() => one.applyDiagnosis({ account, proposal: "ids=hex" }),
	];
	for (const act of acts)
		expect(await refusalOf(act())).toBe("organization_mismatch");
});
