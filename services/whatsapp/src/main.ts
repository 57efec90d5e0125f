import { runMain } from "@airtower/platform/runtime/lifecycle";
import { readWhatsappConfig } from "./config.ts";
import { startWhatsapp } from "./service.ts";

await runMain("whatsapp", (env) => startWhatsapp(readWhatsappConfig(env)));
