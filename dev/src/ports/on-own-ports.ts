import { isFree } from "@airtower/platform/runtime/ports";

/** Something to start whose ports are chosen. */
interface Chosen {
	readonly ports: readonly number[];
	/** Leaves nothing running when it rejects. */
	start(): Promise<void>;
}

const MAX_TRIES = 4;

/** Chooses again when another program has taken one of the ports between the choice and the start. */
export async function onOwnPorts<T extends Chosen>(
	choose: () => Promise<T>,
	callOff?: AbortSignal,
): Promise<T> {
	for (let tries = 1; ; tries++) {
		callOff?.throwIfAborted();
		const chosen = await choose();
		try {
			await chosen.start();
			return chosen;
		} catch (error) {
			if (tries === MAX_TRIES || !(await hasLostPort(chosen.ports, error)))
				throw error;
		}
	}
}

/** Whoever took a port may have left it again since; then only the error still tells. */
async function hasLostPort(
	ports: readonly number[],
	error: unknown,
): Promise<boolean> {
	const free = await Promise.all(ports.map(isFree));
	return ports.some(
		(port, index) =>
			!free[index] || new RegExp(`\\bport ${port}\\b`, "i").test(String(error)),
	);
}
