import { expect, test } from "vitest";
import { z } from "zod";
import { keyRingText } from "../testing/keys.ts";
import { ConfigError, readConfig } from "./config.ts";
import {
	envAddresses,
	envBool,
	envInt,
	envKeyRing,
	envList,
	envPairs,
	envPort,
	envUrl,
} from "./env.ts";

const schema = z.object({
	PORT: envPort(),
	SIZE: envInt(1, 10).default(5),
	FLAG: envBool().default(false),
	URL: envUrl(["http:", "https:"]),
	KEYS: envKeyRing(),
	NAMES: envList().optional(),
});

test("good settings are read with their types, empty ones count as absent", () => {
	const config = readConfig(schema, {
		PORT: "8080",
		SIZE: "",
		FLAG: "true",
		URL: "http://a",
		KEYS: keyRingText("k1"),
		NAMES: "a, b",
	});
	expect(config).toMatchObject({
		PORT: 8080,
		SIZE: 5,
		FLAG: true,
		URL: "http://a",
		NAMES: ["a", "b"],
	});
	expect(config.KEYS.current.id).toBe("k1");
});

test("every bad setting is named at once and no value is shown", () => {
	const read = () =>
		readConfig(schema, {
			PORT: "70000",
			SIZE: "3.5",
			FLAG: "yes",
			URL: "ftp://secret-host",
			KEYS: "k1:c2hvcnQ=",
		});
	expect(read).toThrow(ConfigError);
	for (const name of ["PORT", "SIZE", "FLAG", "URL", "KEYS"])
		expect(read).toThrow(new RegExp(name));
	expect(read).not.toThrow(/secret-host|c2hvcnQ/);
});

test("a login or a value that is not percent-encoded is refused by its setting", () => {
	const login = z.object({ URL: envUrl(["http:"]), PAIRS: envPairs() });
	const read = () =>
		readConfig(login, { URL: "http://u:100%sure@a", PAIRS: "a=100%sure" });
	expect(read).toThrow(ConfigError);
	expect(read).toThrow(/URL: .*percent-encoded.*PAIRS: .*percent-encoded/);
	expect(read).not.toThrow(/sure/);
	const URL = "http://u:100%25sure@a";
	expect(readConfig(login, { URL, PAIRS: "a=100%25sure" })).toEqual({
		URL,
		PAIRS: { a: "100%sure" },
	});
});

test.each(["kafka", "http://kafka:9092", "kafka:9092,other", "kafka:port"])(
	"%s is no list of addresses",
	(BROKERS) => {
		const brokers = z.object({ BROKERS: envAddresses() });
		expect(() => readConfig(brokers, { BROKERS })).toThrow(
			/BROKERS: must be host:port/,
		);
		const good = { BROKERS: "kafka-0.kafka:9092, 10.0.0.1:9093" };
		expect(readConfig(brokers, good).BROKERS).toHaveLength(2);
	},
);

test("a missing setting is called missing", () => {
	expect(() => readConfig(schema, {})).toThrow(
		/PORT is missing.*URL is missing/,
	);
});
