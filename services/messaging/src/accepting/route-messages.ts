import { uuidv7 } from "@airtower/platform/runtime/ids";
import { refuse } from "@airtower/platform/work/batch";
import { ErrorDetailSchema } from "@airtower/proto/common/v1/error_detail";
import { create } from "@bufbuild/protobuf";
import { chooseRoute } from "../domain/routing/choose-route.ts";
import type { Routing } from "../routes/routing.ts";
import { messageRefusal } from "./check-messages.ts";
import type { AddressedMessage } from "./senders.ts";

export interface RoutedMessage extends AddressedMessage {
	/** Of the message; it decides between routes that share such messages. */
	readonly id: string;
	readonly route: string;
	/** Of the rules that chose; null before there were any. */
	readonly rulesVersion: number | null;
}

/** Gives each message its id and its route; refuses those that no route may take now. */
export function routeMessages(
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
