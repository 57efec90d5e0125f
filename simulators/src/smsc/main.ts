import { envInt, envPort, readConfig } from "@airtower/platform/runtime/config";
import { closeAll, runMain } from "@airtower/platform/runtime/lifecycle";
import { z } from "zod";
import { startControl } from "./control.ts";
import { defaultSettings, idStyles, receiptStyles } from "./settings.ts";
import { startSmsc } from "./smsc.ts";

const idStyle = z.enum(idStyles);
const milliseconds = envInt(0, 3_600_000);

const environment = z.object({
	SMSC_HOST: z.string().default("127.0.0.1"),
	SMSC_PORT: envPort().default(2775),
	SMSC_CONTROL_PORT: envPort().default(2776),
	SMSC_SYSTEM_ID: z.string().default("airtower"),
	SMSC_PASSWORD: z.string().default("airtower"),
	SMSC_LOG_FILE: z.string().optional(),
	SMSC_RECEIPTS_FILE: z.string().optional(),
	SMSC_LOG_KEEP: envInt(1, 100_000_000).default(500_000),
	SMSC_ANSWER_IDS: idStyle.default(defaultSettings.answerIds),
	SMSC_RECEIPT_IDS: idStyle.default(defaultSettings.receiptIds),
	SMSC_RECEIPT_STYLE: z
		.enum(receiptStyles)
		.default(defaultSettings.receiptStyle),
	SMSC_ANSWER_DELAY_MS: milliseconds.default(defaultSettings.answerDelayMs),
	SMSC_RECEIPT_DELAY_MS: milliseconds.default(defaultSettings.receiptDelayMs),
	SMSC_SUBMITS_PER_SECOND: envInt(0, 1_000_000).default(0),
	SMSC_REDELIVER_MS: milliseconds.default(defaultSettings.redeliverMs),
	SMSC_RECEIPT_WINDOW: envInt(1, 10_000).default(defaultSettings.receiptWindow),
});

await runMain("smsc", async (env) => {
	const config = readConfig(environment, env);
	const smsc = await startSmsc({
		host: config.SMSC_HOST,
		port: config.SMSC_PORT,
		accounts: { [config.SMSC_SYSTEM_ID]: config.SMSC_PASSWORD },
		logKeep: config.SMSC_LOG_KEEP,
		...(config.SMSC_LOG_FILE && { logFile: config.SMSC_LOG_FILE }),
		...(config.SMSC_RECEIPTS_FILE && {
			receiptsFile: config.SMSC_RECEIPTS_FILE,
		}),
		settings: {
			answerIds: config.SMSC_ANSWER_IDS,
			receiptIds: config.SMSC_RECEIPT_IDS,
			receiptStyle: config.SMSC_RECEIPT_STYLE,
			answerDelayMs: config.SMSC_ANSWER_DELAY_MS,
			receiptDelayMs: config.SMSC_RECEIPT_DELAY_MS,
			submitsPerSecond: config.SMSC_SUBMITS_PER_SECOND,
			redeliverMs: config.SMSC_REDELIVER_MS,
			receiptWindow: config.SMSC_RECEIPT_WINDOW,
		},
	});
	const control = await startControl(
		smsc,
		config.SMSC_CONTROL_PORT,
		config.SMSC_HOST,
	);
	console.log(`SMSC simulator listens on ${config.SMSC_HOST}:${smsc.port}`);
	return {
		close: () =>
			closeAll([
				() => smsc.close(),
				async () => {
					control.closeAllConnections();
					control.close();
				},
			]),
	};
});
