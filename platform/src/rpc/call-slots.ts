import {
	Code,
	ConnectError,
	createContextKey,
	type HandlerContext,
	type Interceptor,
} from "@connectrpc/connect";

interface Slot {
	retain(): void;
	release(): void;
}

const slotsKey = createContextKey<readonly Slot[]>([], {
	description: "call slots",
});

/** Admits at most `limit` calls at a time. A handler that runs on after its deadline keeps its slot. */
export function createCallSlots(
	limit: number,
): (context: HandlerContext) => void {
	let taken = 0;
	return (context) => {
		if (taken >= limit)
			throw new ConnectError(
				"The service is at its limit of concurrent calls.",
				Code.ResourceExhausted,
			);
		taken++;
		let holders = 1;
		const slot: Slot = {
			retain: () => {
				holders++;
			},
			release: () => {
				if (--holders === 0) taken--;
			},
		};
		context.values.set(slotsKey, [...context.values.get(slotsKey), slot]);
		if (context.signal.aborted) slot.release();
		else context.signal.addEventListener("abort", slot.release, { once: true });
	};
}

export const holdSlot: Interceptor = (next) => async (req) => {
	const slots = req.contextValues.get(slotsKey);
	for (const slot of slots) slot.retain();
	try {
		return await next(req);
	} finally {
		for (const slot of slots) slot.release();
	}
};
