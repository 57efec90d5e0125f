import { connect, type Socket } from "node:net";

/** Connects to an operator; rejects with the reason, also when it takes too long or is aborted. */
export function openSocket(
	address: { readonly host: string; readonly port: number },
	timeoutMs: number,
	signal: AbortSignal,
): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const socket = connect(address);
		const giveUp = (why: string) => () => socket.destroy(new Error(why));
		const tooLate = giveUp(`no connection within ${timeoutMs} ms`);
		const timer = setTimeout(tooLate, timeoutMs);
		const abort = giveUp("stopped");
		signal.addEventListener("abort", abort);
		const settle = () => {
			clearTimeout(timer);
			signal.removeEventListener("abort", abort);
			socket.off("error", fail);
		};
		const fail = (error: Error) => {
			settle();
			reject(error);
		};
		socket.once("error", fail);
		socket.once("connect", () => {
			settle();
			resolve(socket);
		});
	});
}
