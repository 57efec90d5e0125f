/** What a process of a test needs of the machine; compiled code is kept, so that it starts in half the time. */
export function machineEnv(): Record<string, string> {
	const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
	return { PATH, NODE_COMPILE_CACHE };
}
