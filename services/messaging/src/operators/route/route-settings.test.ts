import { expect, test } from "vitest";
import { BadRoute } from "./bad-route.ts";
import {
	changeSettings,
	parseRouteSettings,
	settingsFromUrl,
	showChange,
	showSettings,
} from "./route-settings.ts";
import { parseSmppRoute } from "./smpp-route.ts";

const SETTINGS = {
	address: "smpp://acme@smsc.example:2776",
	password: "p@ss %",
	window: "50",
};

test("settings and the URL of the same route are one route", () => {
	const url =
		"smpps://ac%40me:p%40ss%25@[::1]:2776?code=eu&window=50&statuses=0x45:permanent,0x401:throttled&systemtype=a%2Bb";
	const settings = settingsFromUrl(url);
	expect(settings).toEqual({
		address: "smpps://ac%40me@[::1]:2776",
		password: "p@ss%",
		window: "50",
		statuses: "0x45:permanent,0x401:throttled",
		systemtype: "a+b",
	});
	expect(parseRouteSettings("eu", settings)).toEqual(parseSmppRoute(url));
});

test("settings have the defaults of the URL's options", () => {
	expect(parseRouteSettings("eu", SETTINGS)).toMatchObject({
		code: "eu",
		account: "acme@smsc.example",
		password: "p@ss %",
		window: 50,
		binds: 1,
	});
});

test.each([
	["window", { window: "0" }, /option "window" must be a whole number/],
	["windw", { windw: "5" }, /option "windw" is unknown/],
	["ca", { ca: "/none" }, /option "ca"/],
	["code", { code: "other" }, /code of a route cannot be changed/],
	["password", { password: "" }, /password must have 1 to 64/],
	["password", { password: "é" }, /password is not ASCII/],
	["address", { address: "smsc.example" }, /smpp\(s\):\/\/systemId@host:port/],
	["address", { address: "http://u@h" }, /smpp\(s\):\/\/systemId@host:port/],
	["address", { address: "smpp://h" }, /system id must have 1 to 64/],
	["address", { address: "smpp://u:tops3cret@h" }, /password .* of their own/],
	["address", { address: "smpp://u@h?window=1" }, /options .* of their own/],
])("a bad %s is named, and no secret is shown", (setting, change, message) => {
	expect.assertions(3);
	try {
		parseRouteSettings("eu", { ...SETTINGS, ...change });
	} catch (error) {
		expect(error).toBeInstanceOf(BadRoute);
		expect(error).toMatchObject({
			setting,
			message: expect.stringMatching(message),
		});
		expect(String(error)).not.toMatch(/tops3cret|p@ss/);
	}
});

test("an empty value takes a setting back to its default", () => {
	const changed = changeSettings(SETTINGS, { window: "", rate: "5" });
	expect(changed).toEqual({
		address: SETTINGS.address,
		password: SETTINGS.password,
		rate: "5",
	});
});

test("a password is shown as set, and its change as changed", () => {
	expect(showSettings(SETTINGS)).toEqual({ ...SETTINGS, password: "set" });
	const after = { address: SETTINGS.address, password: "other", rate: "5" };
	expect(showChange(SETTINGS, after)).toEqual({
		before: { password: "set", window: "50", rate: "" },
		after: { password: "changed", window: "", rate: "5" },
	});
});
