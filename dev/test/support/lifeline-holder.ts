import { holdLifeline } from "../../src/processes/lifeline.ts";

/** Holds a lifeline of the process that its arguments name, until it is killed or told to release it. */
const [pid = "", mark = ""] = process.argv.slice(2);
const lifeline = holdLifeline({ pid: Number(pid), mark }, "SIGINT");
process.on("message", () => {
	lifeline.release();
	process.send?.("released");
});
process.send?.("held");
