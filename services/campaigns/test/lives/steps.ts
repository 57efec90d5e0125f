import { transaction } from "@airtower/platform/database/database";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { numbersFrom } from "@airtower/platform/testing/numbers-from";
import type { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import fc from "fast-check";
import { insertContact } from "../../src/store/contacts.ts";
import { phone } from "../test-campaigns.ts";
import { become, grantTo, hearOf, tell } from "./events.ts";
import type { Processes } from "./processes.ts";
import type { LivedCampaign, World } from "./world.ts";

/** A world, and what acts on it. */
export interface Life {
	readonly world: World;
	readonly processes: Processes;
	readonly campaigns: Client<typeof CampaignsService>;
}

type Run = (life: Life) => unknown;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const MOST_CAMPAIGNS = 5;

/** What may happen, each as often as its weight says. */
const STEPS: Readonly<Record<string, readonly [weight: number, run: Run]>> = {
	create: [4, create],
	run: [14, ({ processes }) => processes.runTroubled()],
	wake: [3, ({ processes }) => processes.wake()],
	seconds: [3, (life) => pass(life, [3_000, 12_000, 31_000, 46_000])],
	minutes: [3, (life) => pass(life, [2 * MINUTE_MS, 11 * MINUTE_MS])],
	days: [
		1,
		(life) =>
			pass(
				life,
				[7, 24, 264, 312].map((h) => h * HOUR_MS),
			),
	],
	pause: [2, (life) => changeAny(life, "pause")],
	resume: [3, (life) => changeAny(life, "resume")],
	cancel: [2, (life) => changeAny(life, "cancel")],
	grant: [5, grant],
	single: [1, sendSingle],
	hold: [1, hold],
	close: [0.5, close],
	sender: [1, suspendSender],
	hear: [4, hear],
	outcomes: [5, tellSome],
	replay: [1, tellAgain],
	optOut: [2, ({ world }) => addRecipient(world, world.optedOut)],
	wait: [2, ({ world }) => addRecipient(world, world.waiting)],
	routes: [1, ({ world }) => world.waiting.clear()],
};

export interface Step {
	readonly name: string;
	readonly seed: number;
}

export const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.record({
		name: fc.oneof(
			...Object.entries(STEPS).map(([name, [weight]]) => ({
				weight: 2 * weight,
				arbitrary: fc.constant(name),
			})),
		),
		seed: fc.nat(1_000_000),
	}),
	{ minLength: 5, maxLength: 60, size: "max" },
);

export async function runStep(life: Life, { name, seed }: Step): Promise<void> {
	life.world.random = numbersFrom(seed);
	await STEPS[name]?.[1](life);
}

function pass({ world, processes }: Life, times: readonly number[]) {
	return processes.pass(world.pick(times) ?? 0);
}

/** To contacts of a tag, or to a list in which some are given twice and some are no numbers. */
async function create({ world, campaigns }: Life) {
	const nth = world.campaigns.length;
	const organization = world.pick(world.organizations);
	if (organization === undefined || nth === MOST_CAMPAIGNS) return;
	const { id: organizationId } = organization;
	const count = world.count(1, 25);
	const phones = Array.from({ length: count }, (_, i) => phone(nth * 100 + i));
	const tag = `tag ${nth}`;
	const isTagged = world.random() < 0.3;
	if (isTagged) await addContacts(world, organizationId, phones, tag);
	const isLater = world.random() < 0.2;
	const scheduledAt = timestampFromMs(
		world.now() + world.count(1, 30) * HOUR_MS,
	);
	const { campaign } = await campaigns.createCampaign({
		organizationId,
		name: "Sale",
		messageTemplate: "Hi {{name|you}}",
		defaultCountry: "FR",
		audienceTagMatchMode: "all",
		...(isLater && { scheduledAt }),
		...(isTagged
			? { audienceTags: [tag] }
			: { recipients: [...phones, ...phones.slice(0, 2), "none", "none"] }),
	});
	const id = campaign?.id ?? "";
	world.campaigns.push({ id, organization, phones, stoppedAt: undefined });
}

async function addContacts(
	{ database }: World,
	organizationId: string,
	phones: readonly string[],
	tag: string,
) {
	await transaction(database.sql, async (sql) => {
		for (const phone of phones) {
			const contact = { name: `Name ${phone}`, email: null, tags: [tag] };
			await insertContact(sql, organizationId, { ...contact, phone });
		}
	});
}

async function changeAny(life: Life, action: string) {
	const campaign = life.world.pick(life.world.campaigns);
	if (campaign !== undefined) await change(life, campaign, action);
}

export async function change(
	{ world, campaigns }: Life,
	campaign: LivedCampaign,
	action: string,
): Promise<void> {
	const { id: campaignId, organization } = campaign;
	const request = { organizationId: organization.id, campaignId };
	try {
		const { campaign: changed } = await campaigns.changeCampaign({
			...request,
			change: action,
		});
		const isStopped =
			changed?.status === "cancelled" || changed?.statusReason === "requested";
		campaign.stoppedAt = isStopped
			? (campaign.stoppedAt ?? world.now())
			: undefined;
	} catch (error) {
		if (domainErrorFrom(error)?.reason !== "campaign_ended") throw error;
	}
}

async function grant({ world }: Life) {
	const organization = world.pick(world.organizations);
	if (organization === undefined) return;
	grantTo(organization, world.count(1, 20));
	if (world.random() < 0.7) await hearOf(world, organization);
}

function sendSingle({ world }: Life): void {
	const messaging = world.pick(world.organizations)?.messaging;
	if (messaging !== undefined) messaging.quota >>= 1;
}

function hold({ world }: Life): void {
	const organization = world.pick(world.organizations);
	const isActive = organization?.state === "active";
	become(organization, isActive ? "suspended" : "active");
}

function close({ world }: Life): void {
	become(world.pick(world.organizations), "closed");
}

function suspendSender({ world }: Life): void {
	const organization = world.pick(world.organizations);
	if (organization === undefined) return;
	organization.isSenderSuspended = !organization.isSenderSuspended;
}

async function hear({ world }: Life) {
	const organization = world.pick(world.organizations);
	if (organization !== undefined) await hearOf(world, organization);
}

function tellSome({ world }: Life) {
	const some = world.messages.filter(
		({ isLate }) => !isLate && world.random() < 0.5,
	);
	return tell(world, some);
}

/** A bus that was restored tells all once more, from the beginning. */
function tellAgain({ world }: Life) {
	return tell(
		world,
		world.messages.filter(({ isTold }) => isTold),
	);
}

function addRecipient(world: World, to: Set<string>): void {
	const phone = world.pick(world.pick(world.campaigns)?.phones ?? []);
	if (phone !== undefined) to.add(phone);
}
