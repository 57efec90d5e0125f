import { setTimeout as delay } from "node:timers/promises";
import type { Interceptor } from "@connectrpc/connect";
import { wasNeverSeen } from "./http/session-manager.ts";

const RESEND_DELAYS_MS = [25, 50, 100, 200, 400];

/** Repeats a unary call that no server can have seen (RFC 9113, section 8.7); nothing else is repeated. */
export const resendNeverSeen: Interceptor = (next) => async (req) => {
	for (const pauseMs of RESEND_DELAYS_MS) {
		try {
			return await next(req);
		} catch (error) {
			if (req.stream || !wasNeverSeen(error)) throw error;
		}
		await delay(pauseMs, undefined, { signal: req.signal });
	}
	return next(req);
};
