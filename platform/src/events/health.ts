import { isConfirmed } from "../runtime/is-confirmed.ts";

/** Makes a request to a server; one that fails or takes longer than 2 s is unreachable. */
export async function healthOf(
	request: () => Promise<unknown>,
): Promise<"ok" | "unreachable"> {
	const isReached = await isConfirmed(() => request().then(() => true));
	return isReached ? "ok" : "unreachable";
}
