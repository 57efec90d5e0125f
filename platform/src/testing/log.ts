import { createLogger } from "../runtime/log.ts";

export const silentLog = createLogger({ service: "test", level: "silent" });
