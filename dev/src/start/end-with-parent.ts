/**
 * Loaded before a service's own code: when the supervisor is killed without a word, the channel
 * to it breaks and the service stops by itself, so that nothing is left running behind the user's back.
 */
const GRACE_MS = 10_000;

process.once("disconnect", () => {
	process.kill(process.pid, "SIGTERM");
	setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE_MS).unref();
});
process.channel?.unref();
