import { saysYes } from "../runtime/says-yes.ts";

/** Asks a server for any answer; one that fails or takes longer than 2 s is unreachable. */
export async function healthOf(
	ask: () => Promise<unknown>,
): Promise<"ok" | "unreachable"> {
	const answered = await saysYes(async () => {
		await ask();
		return true;
	});
	return answered ? "ok" : "unreachable";
}
