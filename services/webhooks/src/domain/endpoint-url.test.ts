import { describe, expect, it } from "vitest";
import { hostFrom, type UrlRules, urlProblem } from "./endpoint-url.ts";

const STRICT: UrlRules = {
	allowHttp: false,
	allowPrivateAddresses: false,
	blockedNetworks: [],
	blockedPorts: [],
};

describe("an endpoint's URL", () => {
	it.each([
		"https://example.com/hook",
		"https://example.com:8443/hook?a=b#c",
		"https://8.8.8.8/",
		"https://[2606:4700:4700::1111]/",
		"https://bücher.example/x",
		"https://a-1.b_2.example.com./x",
	])("may be %s", (url) => {
		expect(urlProblem(url, STRICT)).toBeUndefined();
	});

	it.each([
		["not absolute", "/hook"],
		["empty", ""],
		["with a space", "https://example.com/a b"],
		["with a line break", "https://exa\nmple.com/"],
		["plain http", "http://example.com/"],
		["another protocol", "ftp://example.com/"],
		["a script", "javascript:alert(1)"],
		["a user name", "https://user@example.com/"],
		["a user and password", "https://user:pass@example.com/"],
		["a public name as the user", "https://example.com@127.0.0.1/"],
		["port 0", "https://example.com:0/"],
		["a port too large", "https://example.com:65536/"],
		["dotted loopback", "https://127.0.0.1/"],
		["short loopback", "https://127.1/"],
		["decimal loopback", "https://2130706433/"],
		["octal loopback", "https://0177.0.0.1/"],
		["octal private", "https://012.0.0.1/"],
		["hex loopback", "https://0x7f000001/"],
		["mixed bases", "https://0x7f.0.1/"],
		["full-width digits", "https://１２７.０.０.１/"],
		["full-width dots", "https://127。0。0。1/"],
		["circled digits", "https://①②⑦.⓪.⓪.①/"],
		["percent-encoded digits", "https://%31%32%37.0.0.1/"],
		["loopback with a trailing dot", "https://127.0.0.1./"],
		["localhost", "https://localhost/"],
		["localhost with a trailing dot", "https://localhost./"],
		["upper-case localhost", "https://LOCALHOST/"],
		["full-width localhost", "https://ｌｏｃａｌｈｏｓｔ/"],
		["a single label", "https://intranet/"],
		["an empty label", "https://a..example.com/"],
		["a dot at its start", "https://.example.com/"],
		["a hyphen at the start of a label", "https://-a.example.com/"],
		["a hyphen at the end of a label", "https://a-.example.com/"],
		["signs that no name has", "https://exa$mple.com/"],
		["a star", "https://*.example.com/"],
		["a label that is too long", `https://${"a".repeat(64)}.example.com/`],
		["a name that is too long", `https://${"a.".repeat(130)}example.com/`],
		["cloud metadata by number", "https://169.254.169.254/latest"],
		["cloud metadata by name", "https://metadata.google.internal/"],
		["zero", "https://0/"],
		["IPv6 loopback", "https://[::1]/"],
		["IPv6 unspecified", "https://[::]/"],
		["mapped loopback", "https://[::ffff:127.0.0.1]/"],
		["mapped hex loopback", "https://[::ffff:7f00:1]/"],
		["NAT64 metadata", "https://[64:ff9b::a9fe:a9fe]/"],
		["6to4 loopback", "https://[2002:7f00:1::]/"],
		["Teredo", "https://[2001:0:7f00:1::]/"],
		["unique local", "https://[fd00::1]/"],
		["link-local", "https://[fe80::1]/"],
		["a zone", "https://[fe80::1%25eth0]/"],
	])("must not be %s", (_kind, url) => {
		expect(urlProblem(url, STRICT)).toMatch(/^url must /);
	});

	it("may be plain http where the deployment allows it", () => {
		const rules = { ...STRICT, allowHttp: true };
		expect(urlProblem("http://example.com/", rules)).toBeUndefined();
		expect(urlProblem("http://127.0.0.1/", rules)).toMatch(/public/);
	});

	it("may lead to a private address where the deployment allows it", () => {
		const rules = { ...STRICT, allowPrivateAddresses: true };
		expect(urlProblem("https://127.0.0.1:9000/", rules)).toBeUndefined();
		expect(urlProblem("https://receiver/", rules)).toBeUndefined();
		expect(urlProblem("https://rec$iver/", rules)).toMatch(/host/);
		expect(urlProblem("https://[::1]/", rules)).toBeUndefined();
		expect(urlProblem("https://a:b@receiver/", rules)).toBeDefined();
	});

	it("names an IPv6 host without its brackets", () => {
		expect(hostFrom(new URL("https://[::1]:1/"))).toBe("::1");
		expect(hostFrom(new URL("https://example.com/"))).toBe("example.com");
	});
});
