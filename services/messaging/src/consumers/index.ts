import type { Tx } from "@airtower/platform/database/database";
import type { ConsumerOptions } from "@airtower/platform/events/consumer";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { WhatsAppEventSchema } from "@airtower/proto/common/v1/whatsapp_event";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { addOptOuts } from "../opt-outs/add-opt-outs.ts";
import { findOptOutSettings } from "../store/opt-outs/opt-out-settings.ts";
import { liftWhatsAppOptOuts } from "../store/opt-outs/opt-outs.ts";

type ConsumerGroup = Pick<ConsumerOptions, "group" | "topics" | "apply">;

export const consumerGroups: readonly ConsumerGroup[] = [
	{
		group: "messaging.whatsapp",
		topics: [topics.whatsappEvent],
		apply: applyWhatsAppEvents,
	},
];

/** Lists who stopped marketing messages on WhatsApp, and lifts that, and no more, once they resume them. */
export async function applyWhatsAppEvents(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	const preferences = events.map(readPreference);
	// In the order in which texts from phones are obeyed, so that no two wait for each other.
	const byRecipient = preferences.toSorted((a, b) =>
		a.recipient.localeCompare(b.recipient),
	);
	for (const { organizationId, isStopped, ...optOut } of byRecipient)
		if (isStopped) await list(sql, organizationId, optOut);
		else await liftWhatsAppOptOuts(sql, organizationId, optOut);
}

/** For the sender alone, or for all, as the organization has it for STOP. */
async function list(
	sql: Tx,
	organizationId: string,
	{
		recipient,
		sender,
	}: { readonly recipient: string; readonly sender: string },
): Promise<void> {
	const { scope } = await findOptOutSettings(sql, organizationId);
	const optOut = { recipient, sender: scope === "organization" ? "" : sender };
	await addOptOuts(sql, organizationId, "whatsapp", [optOut]);
}

/** Throws on a kind that this release does not know: the event is parked until a release knows it. */
function readPreference({ payload }: BusEvent) {
	const { organizationId, kind } = fromBinary(WhatsAppEventSchema, payload);
	if (kind.case !== "marketingPreference")
		throw new Error("The event's kind is unknown.");
	const { recipient, sender, isStopped } = kind.value;
	return { organizationId, recipient, sender, isStopped };
}
