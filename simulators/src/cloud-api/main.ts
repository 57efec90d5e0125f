import { z } from "zod";
import { envPort, runSimulator } from "../run-simulator.ts";
import { startCloudApi } from "./cloud-api.ts";

const environment = z.object({
	HOST: z.string().default("127.0.0.1"),
	PORT: envPort().default(2777),
	CALLBACK_URL: z.url({ protocol: /^https?$/ }),
	APP_SECRET: z.string(),
	ACCESS_TOKEN: z.string(),
	PHONE_NUMBER_ID: z.string().transform((ids) => ids.split(/\s*,\s*/)),
	WABA_ID: z.string(),
	LOG_FILE: z.string().optional(),
	INBOUND_FILE: z.string().optional(),
});

await runSimulator("cloud-api", environment, async (env) => {
	const api = await startCloudApi({
		host: env.HOST,
		port: env.PORT,
		callbackUrl: env.CALLBACK_URL,
		appSecret: env.APP_SECRET,
		accessToken: env.ACCESS_TOKEN,
		phoneNumberIds: env.PHONE_NUMBER_ID,
		wabaId: env.WABA_ID,
		...(env.LOG_FILE && { logFile: env.LOG_FILE }),
		...(env.INBOUND_FILE && { inboundFile: env.INBOUND_FILE }),
	});
	console.log(`Cloud API look-alike listens on ${api.url}`);
	return api;
});
