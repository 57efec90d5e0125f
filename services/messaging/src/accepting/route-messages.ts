import { refuse } from "@airtower/platform/work/batch";
import { ErrorDetailSchema } from "@airtower/proto/common/v1/error_detail";
import { create } from "@bufbuild/protobuf";
import { chooseRoute } from "../domain/choose-route.ts";
import type { Routes } from "../routes/routes.ts";
import type { AddressedMessage } from "./senders.ts";

export interface RoutedMessage extends AddressedMessage {
	/** Code of the route. */
	readonly route: string;
}

/** Chooses the route of each message; refuses those for which there is none. */
export function routeMessages(
	routes: Routes,
	messages: readonly AddressedMessage[],
): RoutedMessage[] {
	const known = routes.current();
	return messages.flatMap((message) => {
		const route = chooseRoute(known, routes.preferred);
		if (route !== undefined) return [{ ...message, route: route.code }];
		refuse(message.item, noRoute());
		return [];
	});
}

function noRoute() {
	return create(ErrorDetailSchema, {
		reason: "service_unavailable",
		message:
			"No operator route is active; repeat the request later with the same Idempotency-Key.",
	});
}
