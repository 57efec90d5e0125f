import { isConfirmed } from "../runtime/is-confirmed.ts";

export async function healthOf(
	request: () => Promise<unknown>,
): Promise<"ok" | "unreachable"> {
	const isReached = await isConfirmed(() => request().then(() => true));
	return isReached ? "ok" : "unreachable";
}
