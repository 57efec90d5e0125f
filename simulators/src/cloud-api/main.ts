import {
	envList,
	envPort,
	envUrl,
	readConfig,
} from "@airtower/platform/runtime/config";
import { runMain } from "@airtower/platform/runtime/lifecycle";
import { z } from "zod";
import { startCloudApi } from "./cloud-api.ts";

const environment = z.object({
	HOST: z.string().default("127.0.0.1"),
	PORT: envPort().default(2777),
	CALLBACK_URL: envUrl(["http:", "https:"]),
	APP_SECRET: z.string(),
	ACCESS_TOKEN: z.string(),
	/** One id, or several separated by commas. */
	PHONE_NUMBER_ID: envList(),
	WABA_ID: z.string(),
	LOG_FILE: z.string().optional(),
	INBOUND_FILE: z.string().optional(),
});

await runMain("cloud-api", async (env) => {
	const config = readConfig(environment, env);
	const api = await startCloudApi({
		host: config.HOST,
		port: config.PORT,
		callbackUrl: config.CALLBACK_URL,
		appSecret: config.APP_SECRET,
		accessToken: config.ACCESS_TOKEN,
		phoneNumberIds: config.PHONE_NUMBER_ID,
		wabaId: config.WABA_ID,
		...(config.LOG_FILE !== undefined && { logFile: config.LOG_FILE }),
		...(config.INBOUND_FILE !== undefined && {
			inboundFile: config.INBOUND_FILE,
		}),
	});
	console.log(`Cloud API look-alike listens on ${api.url}`);
	return { close: () => api.close() };
});
