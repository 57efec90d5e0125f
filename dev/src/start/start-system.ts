import type { System, SystemOptions } from "./system.ts";

/**
 * Starts a whole system in its own processes and resolves when every service is ready.
 * Recovers first from an earlier run of the same dataDir that was killed.
 * @throws StartError when a port is busy, the data folder is in use, or a service cannot start
 */
export function startSystem(options: SystemOptions): Promise<System> {
  return Promise.reject(new Error(`not built yet: ${options.dataDir}`));
}
