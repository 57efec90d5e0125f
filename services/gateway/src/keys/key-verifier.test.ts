import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import {
	Code,
	ConnectError,
	createClient,
	createRouterTransport,
	type Interceptor,
} from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import type { VerifiedKey } from "../domain/verified-key.ts";
import {
	authenticateKeys,
	createKeyVerifier,
	type KeyVerifier,
	MAX_KEYS_WAITING,
} from "./key-verifier.ts";

const START_MS = 1_000_000;

function keyOf(name: string): VerifiedKey {
	return {
		apiKeyId: name,
		prefix: "at_live_abcd****",
		organizationId: `org-${name}`,
		organizationState: "active",
		scopes: new Set(),
		rateLimit: 1,
		organizationRateLimit: 1,
		expiresAtMs: Number.POSITIVE_INFINITY,
		defaultCountry: "",
	};
}

function createWorld() {
	const clock = { monotonicMs: START_MS, nowMs: START_MS };
	const asked: string[][] = [];
	const errors: unknown[] = [];
	const accounts = {
		find: async (names: string[]): Promise<(VerifiedKey | null)[]> =>
			names.map((name) => (name.startsWith("bad") ? null : keyOf(name))),
	};
	const verifier = createKeyVerifier({
		authenticate: (names) => {
			asked.push(names);
			return accounts.find(names);
		},
		nowMs: () => clock.nowMs,
		monotonicMs: () => clock.monotonicMs,
		onRefreshError: (error) => errors.push(error),
	});
	return { clock, asked, errors, accounts, verifier };
}

test("a verified key is recalled for 10 s, counted from the question", async () => {
	const { verifier, clock, accounts } = createWorld();
	accounts.find = async (names) => {
		clock.monotonicMs += 3_000;
		return names.map(keyOf);
	};
	await verifier.verify("a");
	clock.monotonicMs = START_MS + 10_000;
	expect(verifier.recall("a")).toMatchObject({ apiKeyId: "a" });
	clock.monotonicMs += 1;
	expect(verifier.recall("a")).toBeUndefined();
});

test("only a key's own end follows the wall clock", async () => {
	const { verifier, clock, accounts, asked } = createWorld();
	const expiresAtMs = START_MS + 60_000;
	accounts.find = async (names) =>
		names.map((name) => ({ ...keyOf(name), expiresAtMs }));
	await verifier.verify("a");
	clock.nowMs -= 300_000;
	clock.monotonicMs += 5_000;
	expect(verifier.recall("a")).toMatchObject({ apiKeyId: "a" });
	await new Promise(setImmediate);
	expect(asked).toEqual([["a"], ["a"]]);
	clock.nowMs = expiresAtMs;
	expect(verifier.recall("a")).toBeNull();
});

test("a bad key is recalled as bad for a second", async () => {
	const { verifier, clock } = createWorld();
	expect(await verifier.verify("bad")).toBeNull();
	expect(verifier.recall("bad")).toBeNull();
	clock.monotonicMs += 1_001;
	expect(verifier.recall("bad")).toBeUndefined();
});

test("keys of one moment are one question, without repeats", async () => {
	const { verifier, asked } = createWorld();
	await Promise.all(["a", "b", "a", "bad"].map(verifier.verify));
	expect(asked).toEqual([["a", "b", "bad"]]);
});

test.each([
	["its key", (verifier: KeyVerifier) => verifier.forget("a")],
	["its organization", (verifier: KeyVerifier) => verifier.forget("org-a")],
])(
	"a result that was under way when %s was forgotten admits nobody: it is asked for anew",
	async (_, forget) => {
		const { verifier, accounts, asked } = createWorld();
		const gate = Promise.withResolvers<void>();
		accounts.find = async (names) => {
			await gate.promise;
			return names.map(keyOf);
		};
		const before = verifier.verify("a");
		await new Promise(setImmediate);
		forget(verifier);
		accounts.find = async () => [null];
		const after = verifier.verify("a");
		gate.resolve();
		expect(await Promise.all([before, after])).toEqual([null, null]);
		expect(verifier.recall("a")).toBeNull();
		expect(asked).toEqual([["a"], ["a"]]);
	},
);

test("a result that was under way when another key was forgotten is kept", async () => {
	const { verifier, accounts, asked } = createWorld();
	const gate = Promise.withResolvers<void>();
	accounts.find = async (names) => {
		await gate.promise;
		return names.map(keyOf);
	};
	const verified = verifier.verify("a");
	await new Promise(setImmediate);
	verifier.forget("b");
	gate.resolve();
	await verified;
	expect(verifier.recall("a")).toMatchObject({ apiKeyId: "a" });
	expect(asked).toEqual([["a"]]);
});

test("what is forgotten is forgotten, and nothing else", async () => {
	const { verifier } = createWorld();
	await Promise.all(["a", "b", "c"].map(verifier.verify));
	verifier.forget("a");
	verifier.forget("org-b");
	expect(["a", "b", "c"].map((key) => verifier.recall(key)?.apiKeyId)).toEqual([
		undefined,
		undefined,
		"c",
	]);
});

test("a failed refresh is reported, tried again a second later, and does not prolong the key", async () => {
	const { verifier, clock, accounts, asked, errors } = createWorld();
	await verifier.verify("a");
	accounts.find = () => Promise.reject(new Error("down"));
	for (const nowMs of [5_000, 5_500, 6_000, 10_000]) {
		clock.monotonicMs = START_MS + nowMs;
		expect(verifier.recall("a")).toMatchObject({ apiKeyId: "a" });
		await new Promise(setImmediate);
		await new Promise(setImmediate);
	}
	expect(asked.length).toBe(4);
	expect(errors.length).toBe(3);
	clock.monotonicMs += 1;
	expect(verifier.recall("a")).toBeUndefined();
	await expect(verifier.verify("a")).rejects.toThrow("down");
});

test("memory is bounded: the key used longest ago goes first; bad keys push out no good ones", async () => {
	const { verifier } = createWorld();
	await verifier.verify("first");
	await verifier.verify("second");
	const names = (prefix: string) =>
		Array.from({ length: 9_999 }, (_, index) => `${prefix}${index}`);
	await Promise.all(names("bad").map(verifier.verify));
	expect(verifier.recall("first")).toBeTruthy();
	await Promise.all(names("key").map(verifier.verify));
	expect(verifier.recall("second")).toBeUndefined();
	expect(verifier.recall("first")).toBeTruthy();
});

test("look-ups are bounded: what waits beyond it is refused at once, and what was taken is carried out", async () => {
	const { verifier, asked } = createWorld();
	const names = Array.from({ length: MAX_KEYS_WAITING }, (_, at) => `bad${at}`);
	const taken = Promise.all(names.map(verifier.verify));
	await expect(verifier.verify("late")).rejects.toMatchObject({
		refusal: { code: "service_unavailable" },
	});
	await taken;
	expect(asked.flat()).toHaveLength(MAX_KEYS_WAITING);
	expect(await verifier.verify("late")).toMatchObject({ apiKeyId: "late" });
});

describe("accounts is asked", () => {
	/** Accounts that gets all calls but the first ones, which are lost; its first responses are these errors. */
	function accountsWith(lost: Code[], responses: Code[] = []) {
		const failWith = (codes: Code[]) => {
			const code = codes.shift();
			if (code !== undefined) throw new ConnectError("failed", code);
		};
		const loseFirst: Interceptor = (next) => async (request) => {
			failWith(lost);
			return next(request);
		};
		const transport = createRouterTransport(
			(router) => {
				router.service(AccountsService, {
					authenticateKeys: ({ apiKeys }) => {
						failWith(responses);
						return { results: apiKeys.map(() => ({})) };
					},
				});
			},
			{ transport: { interceptors: [loseFirst] } },
		);
		return authenticateKeys({
			accounts: createClient(AccountsService, transport),
		});
	}

	const LOST = ["DeadlineExceeded", "Unavailable"] as const;
	test.each(LOST)("once more where no response came: %s", async (name) => {
		const code = Code[name];
		expect(await accountsWith([code])(["a"])).toEqual([null]);
		const lostTwice = accountsWith([code, code])(["a"]);
		await expect(lostTwice).rejects.toMatchObject({ code });
	});

	const RESPONSES = ["Unavailable", "ResourceExhausted"] as const;
	test.each(RESPONSES)("once where it responded: %s", async (name) => {
		const code = Code[name];
		const refused = accountsWith([], [code])(["a"]);
		await expect(refused).rejects.toMatchObject({ code });
	});
});
