import { createLogger } from "../runtime/log.ts";

/** A logger that writes nothing. */
export const silentLog = createLogger({ service: "test", level: "silent" });
