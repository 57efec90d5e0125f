import { findBehaviour } from "./behaviour.ts";
import type { CheckedSend } from "./check-send.ts";
import { type MetaError, metaError } from "./meta-error.ts";

const THROTTLES = 2;

export class Refusals {
	readonly #throttled = new Map<string, number>();
	readonly scripted: MetaError[] = [];

	next(send: CheckedSend): MetaError | undefined {
		return this.scripted.shift() ?? this.#byNumber(send);
	}

	#byNumber(send: CheckedSend): MetaError | undefined {
		const { response } = findBehaviour(send.to);
		if (response === "reject")
			return metaError(send.type === "template" ? 132_000 : 131_008);
		if (response !== "throttle") return undefined;
		const key = send.opaque === "" ? send.to : send.opaque;
		const times = (this.#throttled.get(key) ?? 0) + 1;
		this.#throttled.set(key, times);
		return times <= THROTTLES ? metaError(130_429) : undefined;
	}
}
