import { numbersFrom } from "@airtower/platform/testing/numbers-from";
import type { TestRpcServer } from "@airtower/platform/testing/rpc-server";
import { responseLost } from "@airtower/platform/testing/troubled-sql";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import type { Receipt } from "../../../src/domain/receipts/receipt.ts";
import { repeatUnknown } from "../../../src/jobs/repeat-unknown.ts";
import { endLease, rescueDispatch } from "../../../src/jobs/rescue-dispatch.ts";
import { retryReceipts } from "../../../src/jobs/retry-receipts.ts";
import { stageScheduled } from "../../../src/jobs/stage-scheduled.ts";
import { refusalOf } from "../clients.ts";
import { letLeaseRunOut } from "../leases.ts";
import { messageTo, send } from "../messaging.ts";
import { CLAIM, reachSendTimes } from "../rows.ts";
import type { Process, Take, World } from "./world.ts";

/** Organization and service of a life. */
export interface Surroundings {
	readonly organization: string;
	readonly server: TestRpcServer;
}

type Run = (
	world: World,
	process: Process,
	surroundings: Surroundings,
) => Promise<unknown>;

const SETTLES = ["delete from dispatch as work", "update dispatch as work"];
const IN_AN_HOUR_MS = 3_600_000;

/** What may happen, each as often as its weight says. */
const STEPS: Readonly<Record<string, readonly [weight: number, run: Run]>> = {
	accept: [2, (world, _, { organization }) => accept(world, organization)],
	schedule: [
		1,
		(world, _, { organization }) => accept(world, organization, true),
	],
	dispatch: [6, (_, process) => dispatch(process)],
	respond: [3, async (world) => respond(world)],
	report: [4, reportSome],
	time: [4, (world) => passTime(world)],
	cancel: [3, cancel],
	resolve: [2, resolve],
	freeze: [2, (world, process) => loseProcess(world, process, "frozen")],
	die: [1, (world, process) => loseProcess(world, process, "gone")],
	stop: [1, stop],
	wake: [2, wake],
	stage: [2, stage],
	change: [2, async (world) => changeRoute(world)],
	move: [2, (_, process) => process.moveWaiting(process.replica.ctx)],
	loseClaim: [1, (world, process) => dispatchThrough(world, process, [CLAIM])],
	loseSettle: [1, (world, process) => dispatchThrough(world, process, SETTLES)],
};

export interface Step {
	readonly name: string;
	readonly seed: number;
}

export const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.record({
		name: fc.oneof(
			...Object.entries(STEPS).map(([name, [weight]]) => ({
				weight,
				arbitrary: fc.constant(name),
			})),
		),
		seed: fc.nat(1_000_000),
	}),
	{ minLength: 5, maxLength: 40, size: "max" },
);

export async function runStep(
	world: World,
	{ name, seed }: Step,
	surroundings: Surroundings,
): Promise<void> {
	world.random = numbersFrom(seed);
	const process = world.pick(world.running());
	if (process !== undefined)
		await STEPS[name]?.[1](world, process, surroundings);
	await world.quiet();
}

async function accept(world: World, organizationId: string, isLater = false) {
	const serial = String(10_000_000 + world.ids.length);
	const at = timestampFromDate(new Date(Date.now() + IN_AN_HOUR_MS));
	const [result] = await send(world.two.messaging, [
		messageTo(organizationId, {
			to: `+336${serial}`,
			body: "Hello ".repeat(world.parts === 1 ? 1 : 30),
			...(isLater && { sendAt: at }),
		}),
	]);
	if (result?.result.case === "accepted")
		world.ids.push(result.result.value.messageId);
}

export async function dispatch({ replica, rounds }: Process): Promise<void> {
	await repeatUnknown(replica.ctx);
	for (const { round } of rounds) await round();
}

/** The response to these statements of a process is lost, once for each. */
async function dispatchThrough(
	world: World,
	process: Process,
	statements: readonly string[],
) {
	for (const words of statements)
		process.fates.set(words, (run) => {
			process.fates.delete(words);
			return responseLost(run);
		});
	await dispatch(process).catch(() => {});
	await world.quiet();
	process.fates.clear();
}

export function respond(world: World, share = 0.7): void {
	for (const { pending, state } of world.processes)
		for (const { respond } of state === "gone" ? [] : [...pending])
			if (world.random() < share) respond();
}

/** The time comes for which messages and receipts wait, but no validity ends. */
export async function passTime({ two }: World): Promise<void> {
	const { sql } = two.messaging;
	await sql`
		update dispatch
		set due_at = now()
		where token is null
		and due_at < now() + interval '12 hours'
	`;
	await sql`update receipts set due_at = now() where due_at < 'infinity'`;
}

async function reportSome(world: World, process: Process) {
	for (const take of world.takes) {
		if (world.random() < 0.1) await tell(process, take, "intermediate");
		if (world.random() < 0.5) await report(world, process, take);
	}
	await passReceipts(world, process);
}

/** The same however often it comes. */
export async function report(world: World, process: Process, take: Take) {
	take.end ??= world.random() < 0.75 ? "delivered" : "failed";
	await tell(process, take, take.end);
}

async function tell(
	{ operators }: Process,
	{ id, to, operator }: Take,
	state: Receipt["state"],
) {
	const digits = to.slice(1);
	const own = operators.find(({ code }) => code === operator.code);
	await own?.receipt(id, state, {
		numberTails: [digits.slice(-7)],
		addresses: [digits, "airtower"],
	});
}

export async function passReceipts({ takes, two }: World, process: Process) {
	await two.messaging
		.sql`update receipts set due_at = now() where due_at < 'infinity'`;
	await retryReceipts(process.replica.ctx);
	for (const take of takes) take.isReported ||= take.end !== undefined;
}

async function cancel(
	world: World,
	_: Process,
	{ organization: organizationId, server }: Surroundings,
) {
	const messageId = world.pick(world.ids);
	if (messageId === undefined) return;
	const client = server.client(MessagingService);
	const result = await refusalOf(
		client.cancelMessage({ organizationId, messageId }),
	);
	if (result === "accepted") world.canceled.add(messageId);
	else if (result !== "not_cancelable") world.violations.push(result);
}

async function resolve(world: World, _: Process, { server }: Surroundings) {
	const messageId = world.pick(world.ids);
	const outcome = world.pick(["delivered", "failed", "resend"]);
	if (messageId === undefined || outcome === undefined) return;
	const client = server.client(MessagingAdminService);
	const result = await refusalOf(client.resolveMessage({ messageId, outcome }));
	if (result === "accepted") world.resolved.add(messageId);
	else if (result !== "not_unknown") world.violations.push(result);
}

/** Others take over from it. */
async function loseProcess(
	world: World,
	process: Process,
	state: "frozen" | "gone",
) {
	world.lose(process);
	process.state = state;
	await letLeaseRunOut(process.replica);
	const next = await world.startProcess();
	await rescueDispatch(next.replica.ctx);
}

async function stop(world: World, process: Process) {
	world.lose(process);
	process.state = "gone";
	await endLease(process.replica.ctx);
	await world.startProcess();
}

async function wake(world: World) {
	const frozen = world.processes.filter(({ state }) => state === "frozen");
	const process = world.pick(frozen);
	if (process === undefined) return;
	await process.replica.ctx.lease.renew();
	process.state = "runs";
}

export async function stage({ two }: World, { replica }: Process) {
	await reachSendTimes(two.messaging.sql);
	await stageScheduled(replica.ctx);
}

function changeRoute(world: World): void {
	const standing = world.pick(["up", "up", "down", "paused", "trial"] as const);
	const route = world.pick(["first", "second"] as const);
	if (route !== undefined) world.two.set({ [route]: standing });
}
