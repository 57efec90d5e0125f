import { z } from "zod";
import { envInt, envPort, runSimulator } from "../run-simulator.ts";
import { startControl } from "./control.ts";
import { defaultSettings, idStyles, receiptStyles } from "./settings.ts";
import { startSmsc } from "./smsc.ts";

const idStyle = z.enum(idStyles);
const receiptStyle = z.enum(receiptStyles);
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
	SMSC_RECEIPT_STYLE: receiptStyle.default(defaultSettings.receiptStyle),
	SMSC_ANSWER_DELAY_MS: milliseconds.default(defaultSettings.answerDelayMs),
	SMSC_RECEIPT_DELAY_MS: milliseconds.default(defaultSettings.receiptDelayMs),
	SMSC_SUBMITS_PER_SECOND: envInt(0, 1_000_000).default(0),
	SMSC_MAX_BINDS: envInt(0, 1_000).default(defaultSettings.maxBinds),
	SMSC_REDELIVER_MS: milliseconds.default(defaultSettings.redeliverMs),
	SMSC_RECEIPT_WINDOW: envInt(1, 10_000).default(defaultSettings.receiptWindow),
});

await runSimulator("smsc", environment, async (env) => {
	const smsc = await startSmsc({
		host: env.SMSC_HOST,
		port: env.SMSC_PORT,
		accounts: { [env.SMSC_SYSTEM_ID]: env.SMSC_PASSWORD },
		logKeep: env.SMSC_LOG_KEEP,
		...(env.SMSC_LOG_FILE && { logFile: env.SMSC_LOG_FILE }),
		...(env.SMSC_RECEIPTS_FILE && { receiptsFile: env.SMSC_RECEIPTS_FILE }),
		settings: {
			answerIds: env.SMSC_ANSWER_IDS,
			receiptIds: env.SMSC_RECEIPT_IDS,
			receiptStyle: env.SMSC_RECEIPT_STYLE,
			answerDelayMs: env.SMSC_ANSWER_DELAY_MS,
			receiptDelayMs: env.SMSC_RECEIPT_DELAY_MS,
			submitsPerSecond: env.SMSC_SUBMITS_PER_SECOND,
			maxBinds: env.SMSC_MAX_BINDS,
			redeliverMs: env.SMSC_REDELIVER_MS,
			receiptWindow: env.SMSC_RECEIPT_WINDOW,
		},
	});
	const control = await startControl(
		smsc,
		env.SMSC_CONTROL_PORT,
		env.SMSC_HOST,
	);
	console.log(`SMSC simulator listens on ${env.SMSC_HOST}:${smsc.port}`);
	return {
		close: async () => {
			await smsc.close();
			await control.close();
		},
	};
});
