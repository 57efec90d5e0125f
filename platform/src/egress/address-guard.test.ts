import { describe, expect, it } from "vitest";
import { isLocalName, isPublicAddress } from "./address-guard.ts";

const FORBIDDEN: Record<string, readonly string[]> = {
	unspecified: ["0.0.0.0", "0.1.2.3", "::"],
	private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
	loopback: ["127.0.0.1", "127.255.255.254", "::1"],
	"link-local": ["169.254.169.254", "fe80::1", "febf::1"],
	"carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
	multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
	"a cloud's host": ["168.63.129.16"],
	reserved: ["240.0.0.1", "192.0.0.8", "192.88.99.1"],
	broadcast: ["255.255.255.255"],
	benchmarking: ["198.18.0.1", "198.19.255.255", "2001:2::1"],
	documentation: [
		"192.0.2.1",
		"198.51.100.7",
		"203.0.113.9",
		"2001:db8::1",
		"3fff::1",
	],
	"unique local": ["fc00::1", "fd12:3456::1"],
	"site local": ["fec0::1"],
	"IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8"],
	"IPv4-compatible": ["::7f00:1", "::127.0.0.1"],
	"IPv4-translated": ["::ffff:0:7f00:1"],
	NAT64: ["64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"],
	"6to4": ["2002:7f00:1::", "2002:a00:1::1"],
	Teredo: ["2001:0:7f00:1::1"],
	discard: ["100::1"],
	"outside global unicast": ["4000::1", "1::1"],
	"not an address": ["", "example.com", "127.1", "0x7f000001", "010.0.0.1"],
};

describe("addresses that no request may reach", () => {
	for (const [kind, addresses] of Object.entries(FORBIDDEN))
		it.each(addresses)(`${kind}: %s`, (address) => {
			expect(isPublicAddress(address)).toBe(false);
		});
});

describe("addresses of the public internet", () => {
	it.each([
		"8.8.8.8",
		"1.1.1.1",
		"172.15.255.255",
		"172.32.0.1",
		"100.63.255.255",
		"100.128.0.1",
		"169.253.0.1",
		"2606:4700:4700::1111",
		"2a00:1450:4001:80b::200e",
	])("%s", (address) => {
		expect(isPublicAddress(address)).toBe(true);
	});
});

describe("names that never leave the machine or its network", () => {
	it.each([
		"localhost",
		"LOCALHOST.",
		"api.localhost",
		"printer.local",
		"metadata.google.internal",
		"router.home.arpa",
		"intranet",
	])("%s", (name) => {
		expect(isLocalName(name)).toBe(true);
	});

	it.each(["example.com", "local.example.com", "notlocalhost.com"])(
		"but not %s",
		(name) => {
			expect(isLocalName(name)).toBe(false);
		},
	);
});
