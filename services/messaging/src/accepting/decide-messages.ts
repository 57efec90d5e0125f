import type { Context } from "../context.ts";
import type { Routing } from "../routes/routing.ts";
import {
	type CheckedMessage,
	checkMessages,
	type SendItem,
} from "./check-messages.ts";
import { refuseOptedOut } from "./opted-out.ts";
import { type RoutedMessage, routeMessages } from "./route-messages.ts";
import { type AddressedMessage, resolveSenders } from "./senders.ts";

/** The messages that each step let pass; the others are refused. */
export interface DecidedMessages {
	readonly checked: readonly CheckedMessage[];
	readonly addressed: readonly AddressedMessage[];
	readonly routed: readonly RoutedMessage[];
}

/**
 * All that is decided about messages before they are paid for, by the send and by its preview: who is refused here is
 * refused by both. Changes nothing but what `mayTry` of the routing does.
 */
export async function decideMessages(
	ctx: Pick<Context, "sql" | "clock" | "senders">,
	items: readonly SendItem[],
	routing: Pick<Routing, "table" | "mayTry">,
): Promise<DecidedMessages> {
	const checked = checkMessages(items, ctx.clock());
	const addressed = await resolveSenders(ctx.senders, checked);
	const wanted = await refuseOptedOut(ctx.sql, addressed);
	const routed = routeMessages(routing, wanted);
	return { checked, addressed, routed };
}
