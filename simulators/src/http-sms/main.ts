import { z } from "zod";
import { envPort, runSimulator } from "../run-simulator.ts";
import type { Dialect } from "./dialect.ts";
import { startHttpSms } from "./http-sms.ts";
import { infobipDialect } from "./infobip.ts";
import { twilioDialect } from "./twilio.ts";
import { vonageDialect } from "./vonage.ts";

const environment = z.object({
	HTTP_SMS_HOST: z.string().default("127.0.0.1"),
	HTTP_SMS_PORT: envPort().default(2778),
	HTTP_SMS_DIALECT: z.enum(["twilio", "vonage", "infobip"]).default("vonage"),
	HTTP_SMS_ACCOUNT: z.string().default("airtower"),
	HTTP_SMS_SECRET: z.string().default("airtower"),
	HTTP_SMS_SIGNATURE: z.string().default("airtower"),
	HTTP_SMS_LOG_FILE: z.string().optional(),
});
type Settings = z.infer<typeof environment>;

const DIALECTS: Record<
	Settings["HTTP_SMS_DIALECT"],
	(settings: Settings) => Dialect
> = {
	twilio: (env) =>
		twilioDialect({
			accountSid: env.HTTP_SMS_ACCOUNT,
			authToken: env.HTTP_SMS_SECRET,
		}),
	vonage: (env) =>
		vonageDialect({
			apiKey: env.HTTP_SMS_ACCOUNT,
			apiSecret: env.HTTP_SMS_SECRET,
			signatureSecret: env.HTTP_SMS_SIGNATURE,
		}),
	infobip: (env) => infobipDialect({ apiKey: env.HTTP_SMS_SECRET }),
};

await runSimulator("http-sms", environment, async (env) => {
	const operator = await startHttpSms({
		dialect: DIALECTS[env.HTTP_SMS_DIALECT](env),
		host: env.HTTP_SMS_HOST,
		port: env.HTTP_SMS_PORT,
		...(env.HTTP_SMS_LOG_FILE && { logFile: env.HTTP_SMS_LOG_FILE }),
	});
	console.log(
		`Operator like ${env.HTTP_SMS_DIALECT} listens on ${operator.url}`,
	);
	return operator;
});
