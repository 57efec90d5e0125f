import {
	type DeadLetterSchema,
	DeadLetterService,
} from "@airtower/proto/ops/v1/dead_letters";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { recordAct, recordNothing } from "../audit/record-act.ts";
import { type Db, transaction } from "../database/database.ts";
import { assertOrganization } from "../rpc/caller.ts";
import { type RpcRoute, rpcRoute } from "../rpc/route.ts";
import { notFound } from "../runtime/domain-error.ts";
import { isUuid } from "../runtime/ids.ts";
import type { ConsumerOptions } from "./consumer.ts";
import {
	type DeadLetter,
	deleteDeadLetters,
	listDeadLetters,
	MAX_LISTED,
} from "./dead-letters.ts";
import type { BusEvent } from "./event-bus.ts";
import { redriveDeadLetters } from "./redrive-dead-letters.ts";

type AppliedGroup = Pick<ConsumerOptions, "group" | "apply">;

/** With this an admin sees, redrives and discards parked events; throws not_found `unknown_group`. */
export function deadLetterRoute(
	sql: Db,
	groups: readonly AppliedGroup[],
): RpcRoute {
	return rpcRoute(DeadLetterService, {
		async listDeadLetters(_request, context) {
			assertOrganization(context, "*");
			const names = groups.map(({ group }) => group);
			const letters = await Promise.all(
				names.map((name) => listDeadLetters(sql, name, MAX_LISTED + 1)),
			);
			const listed = letters.flatMap((group) => group.slice(0, MAX_LISTED));
			return {
				deadLetters: listed.map(toProto),
				groups: names,
				more: letters.some((group) => group.length > MAX_LISTED),
			};
		},
		async redriveDeadLetters({ group, ids }, context) {
			assertOrganization(context, "*");
			const { apply } = findGroup(groups, group);
			const wanted = ids.length === 0 ? "all" : ids.map(Number);
			recordNothing(context);
			return redriveDeadLetters(
				sql,
				{ group, ids: wanted },
				async (sql, events, afterCommit) => {
					await apply(sql, events, afterCommit);
					for (const event of events)
						await recordAct(sql, context, {
							...aboutEvent(event),
							after: { group, type: event.type },
						});
				},
			);
		},
		async discardDeadLetters({ group, ids }, context) {
			assertOrganization(context, "*");
			findGroup(groups, group);
			recordNothing(context);
			const wanted = ids.map(Number);
			const discarded = await transaction(sql, async (tx) => {
				const letters = await deleteDeadLetters(tx, group, wanted);
				for (const { event, reason } of letters)
					await recordAct(tx, context, {
						...aboutEvent(event),
						before: { group, type: event.type, reason },
					});
				return letters.length;
			});
			return { discarded };
		},
	});
}

function aboutEvent({ id, organizationId }: BusEvent) {
	return { ...(isUuid(organizationId) && { organizationId }), subject: id };
}

function findGroup(
	groups: readonly AppliedGroup[],
	name: string,
): AppliedGroup {
	const found = groups.find(({ group }) => group === name);
	if (found !== undefined) return found;
	const names = groups.map(({ group }) => group).join(", ");
	throw notFound(
		"unknown_group",
		`There is no such group; the service has ${names}.`,
	);
}

function toProto(
	letter: DeadLetter,
): MessageInitShape<typeof DeadLetterSchema> {
	const { id, topic, type, key, organizationId } = letter.event;
	return {
		id: BigInt(letter.id),
		group: letter.group,
		reason: letter.reason,
		detail: letter.detail,
		attempts: letter.attempts,
		parkedAt: timestampFromDate(letter.parkedAt),
		eventId: id,
		topic,
		type,
		key,
		organizationId,
	};
}
