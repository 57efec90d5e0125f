import { describe, expect, it } from "vitest";
import { StartError } from "../start/system.ts";
import { commandFor, parseOptions } from "./options.ts";

describe("options of npm start", () => {
	it("are all optional", () => {
		expect(parseOptions([])).toEqual({
			help: false,
			verbose: false,
			port: 8080,
			dataDir: ".data",
			kafka: false,
			replicas: 1,
			smpp: undefined,
			routes: 1,
			logDays: 7,
		});
	});

	it("are read from the command line", () => {
		const smpp = "smpp://me:secret@smsc.example:2775?window=20&ids=hex";
		const args = ["--port", "9000", "--data-dir=/tmp/x", "--smpp", smpp];
		const more = ["--kafka", "--verbose", "--replicas", "2"];
		expect(parseOptions([...args, ...more])).toEqual({
			help: false,
			verbose: true,
			port: 9000,
			dataDir: "/tmp/x",
			kafka: true,
			replicas: 2,
			smpp,
			routes: 1,
			logDays: 7,
		});
	});

	it("take the SMSC from the environment when the command line names none", () => {
		const env = { SMPP_ROUTE_URL: "smpp://me:secret@smsc.example:2775" };
		expect(parseOptions([], env).smpp).toBe(env.SMPP_ROUTE_URL);
		const smpp = "smpp://other:secret@smsc.example:2775";
		expect(parseOptions(["--smpp", smpp], env).smpp).toBe(smpp);
		expect(parseOptions([], { SMPP_ROUTE_URL: "" }).smpp).toBeUndefined();
		expect(() => parseOptions([], { SMPP_ROUTE_URL: "smsc" })).toThrow(
			"SMPP_ROUTE_URL takes an address like smpp://",
		);
	});

	it("take the days that logs are kept from the environment", () => {
		expect(parseOptions([], { LOG_DAYS: "30" }).logDays).toBe(30);
		expect(() => parseOptions([], { LOG_DAYS: "a week" })).toThrow(
			'LOG_DAYS takes a number from 1 to 400, not "a week".',
		);
	});

	it.each([
		["an unknown option", ["--prot", "1"], "--prot"],
		["a stray word", ["kafka"], "kafka"],
		["an option without its value", ["--port"], "--port"],
		["a port that is no number", ["--port", "80a"], '"80a"'],
		["a port out of range", ["--port", "70000"], "65535"],
		["no replicas", ["--replicas", "0"], '"0"'],
		["too many replicas", ["--replicas", "5"], "from 1 to 4"],
		["no routes", ["--routes", "0"], 'from 1 to 3, not "0"'],
		["too many routes", ["--routes", "9"], 'from 1 to 3, not "9"'],
		["routes without a number", ["--routes", "three"], '"three"'],
		[
			"simulated operators beside one of one's own",
			["--routes", "2", "--smpp", "smpp://me:secret@smsc.example:2775"],
			"leave out --smpp",
		],
		["an empty folder", ["--data-dir="], "--data-dir"],
		["an SMSC without a user", ["--smpp", "smpp://host:2775"], "smpp://"],
		["an SMSC of another protocol", ["--smpp", "http://a:b@c"], "smpp://"],
	])("refuse %s in one sentence that names it", (_what, args, named) => {
		const attempt = () => parseOptions(args);
		expect(attempt).toThrow(StartError);
		expect(attempt).toThrow(named);
		expect(attempt).not.toThrow("\n");
	});
});

it("a hint of another port repeats what else the user asked for", () => {
	const asked = ["--kafka", "--port", "8080", "--data-dir", "my data"];
	expect(commandFor(asked, 9000)).toBe(
		"npm start -- --kafka --data-dir 'my data' --port 9000",
	);
	expect(commandFor(["--port=80", "--verbose"], 9000)).toBe(
		"npm start -- --verbose --port 9000",
	);
	expect(commandFor([], 9000)).toBe("npm start -- --port 9000");
});
