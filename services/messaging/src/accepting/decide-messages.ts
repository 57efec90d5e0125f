import type { Queryable } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { refuse } from "@airtower/platform/work/batch";
import { ErrorDetailSchema } from "@airtower/proto/common/v1/error_detail";
import { create } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { BULK } from "../domain/lanes.ts";
import { chooseRoute } from "../domain/routing/choose-route.ts";
import type { Routing } from "../routes/routing.ts";
import { findOptedOut } from "../store/opt-outs/opt-outs.ts";
import {
	type CheckedMessage,
	checkMessages,
	messageRefusal,
	type SendItem,
} from "./check-messages.ts";
import { keepQuietHours } from "./quiet-hours.ts";
import { type AddressedMessage, resolveSenders } from "./senders.ts";

/** The messages that each step let pass; the others are refused. */
interface DecidedMessages {
	readonly checked: readonly CheckedMessage[];
	readonly addressed: readonly AddressedMessage[];
	readonly routed: readonly RoutedMessage[];
}

/**
 * All that is decided about messages before they are paid for, by the send and by its preview: who is refused here is
 * refused by both. Changes nothing but what `mayTry` of the routing does.
 * @param at when those go that name no time, for quiet hours; undefined for now
 */
export async function decideMessages(
	ctx: Pick<Context, "sql" | "clock" | "senders">,
	items: readonly SendItem[],
	routing: Pick<Routing, "table" | "mayTry">,
	at?: Date,
): Promise<DecidedMessages> {
	const now = ctx.clock();
	const wanted = checkMessages(items, now);
	const checked = wanted.some(({ lane }) => lane === BULK)
		? await keepQuietHours(ctx.sql, wanted, at ?? now)
		: wanted;
	const addressed = await resolveSenders(ctx.senders, checked);
	const willing = await refuseOptedOut(ctx.sql, addressed);
	const routed = routeMessages(routing, willing);
	return { checked, addressed, routed };
}

/**
 * Refuses messages that their recipients do not want, by one query. Who opts out later is looked for when they are
 * sent.
 */
async function refuseOptedOut(
	sql: Queryable,
	messages: readonly AddressedMessage[],
): Promise<readonly AddressedMessage[]> {
	const optedOut = await findOptedOut(
		sql,
		messages.map(({ item, recipient, sender }) => ({
			organizationId: item.organizationId,
			recipient,
			sender: sender.value,
			messageClass: item.message.messageClass,
		})),
	);
	return messages.filter(({ item }, index) => {
		if (!optedOut.has(index)) return true;
		refuse(item, messageRefusal("recipient_opted_out"));
		return false;
	});
}

export interface RoutedMessage extends AddressedMessage {
	/** Of the message; it decides between routes that share such messages. */
	readonly id: string;
	readonly route: string;
	/** Of the rules that chose; null before there were any. */
	readonly rulesVersion: number | null;
}

/** Gives each message its id and its route; refuses those that no route may take now. */
function routeMessages(
	{ table, mayTry }: Pick<Routing, "table" | "mayTry">,
	messages: readonly AddressedMessage[],
): RoutedMessage[] {
	const current = table();
	return messages.flatMap((message) => {
		const { item, recipient, sender } = message;
		const { organizationId } = item;
		const id = uuidv7();
		const request = { recipient, sender: sender.value, organizationId };
		const choice = chooseRoute(current, request, id, { mayTry });
		if ("route" in choice)
			return [
				{
					...message,
					id,
					route: choice.route,
					rulesVersion: current.version || null,
				},
			];
		refuse(
			item,
			choice.refusal === "no_route"
				? messageRefusal("no_route")
				: noActiveRoute(),
		);
		return [];
	});
}

/** Clients and campaigns try again. */
function noActiveRoute() {
	return create(ErrorDetailSchema, {
		reason: "service_unavailable",
		message:
			"No operator takes messages to this number now; repeat the request later with the same Idempotency-Key.",
	});
}
