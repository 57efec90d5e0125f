import type { DeliveryContext } from "../../context.ts";
import { bindShare } from "../../domain/bind-share.ts";
import type { Operator } from "../../operators/operator.ts";
import {
	claimBindSlots,
	type HeldSlots,
	type RouteSlots,
	readBindSlots,
	releaseBindSlots,
} from "../../store/routes/bind-slots.ts";

/** Takes and gives back connections, so that the processes that deliver have equal shares of each route's. */
export async function shareBinds(ctx: DeliveryContext): Promise<number> {
	const { sql, lease } = ctx;
	const operators = new Map(
		ctx.dispatchers.map(({ operator }) => [operator.code, operator]),
	);
	const token = lease.token();
	const routes = [...operators.keys()];
	const all = await readBindSlots(sql, token, routes).catch((error) => {
		// Others may have taken over what this process has open, and nobody tells.
		const mayUse = () => lease.covers(token);
		if (!mayUse())
			for (const operator of operators.values()) operator.hold([], mayUse);
		throw error;
	});
	for (const slots of all) {
		const operator = operators.get(slots.route);
		if (operator !== undefined) await shareRoute(ctx, operator, token, slots);
	}
	return 0;
}

/** A connection goes back when it is closed, and is opened when it is taken: no two processes have it. */
async function shareRoute(
	{ sql, lease, log }: DeliveryContext,
	operator: Operator,
	token: string,
	{ owned, living }: HeldSlots,
): Promise<void> {
	const mayUse = () => lease.covers(token);
	const route: RouteSlots = { route: operator.code, token };
	const share = shareOf(operator, token, living);
	const kept = owned.filter((slot) => slot < operator.binds).slice(0, share);
	const wanted = share - kept.length;
	const taken =
		wanted > 0 ? await claimBindSlots(sql, route, operator.binds, wanted) : [];
	operator.hold([...kept, ...taken], mayUse);
	const open = operator.open();
	const closed = owned.filter(
		(slot) => !kept.includes(slot) && !open.includes(slot),
	);
	if (closed.length > 0) await releaseBindSlots(sql, route, closed);
	if (taken.length + closed.length > 0)
		log.info({ route: route.route, taken, closed }, "shared the binds anew");
}

/** A process that is not known to the others yet comes last. */
function shareOf(
	{ binds }: Operator,
	token: string,
	living: readonly string[],
): number {
	const all = living.includes(token) ? living : [...living, token];
	return bindShare(binds, all.indexOf(token), all.length);
}
