import { ID_SCHEMES, type IdScheme } from "../../domain/operator-message-id.ts";
import { statusKinds } from "../../domain/smpp-status.ts";
import { BadRoute } from "./bad-route.ts";
import { readClientCertificate } from "./client-certificate.ts";
import { readCommonOptions } from "./common-options.ts";
import { reasonTable, receiptForm, stateTable } from "./receipt-options.ts";
import { furtherHosts, type HostAddress } from "./route-hosts.ts";
import { tlvList } from "./route-tlvs.ts";
import {
	addressType,
	BadValue,
	oneOf,
	readableFile,
	readValue,
	referenceBits,
	statusTable,
	textUpTo,
	wholeNumber,
} from "./route-values.ts";

/**
 * Reads the options of a route URL. Throws BadRoute naming the one that is unknown, given twice or malformed.
 * @param address host and port of the URL
 */
export function readRouteOptions(
	query: URLSearchParams,
	defaultAccount: string,
	address: HostAddress,
) {
	const { read, finish } = optionReader(query);
	const common = readCommonOptions(read);
	const ids = read("ids", "auto", idScheme);
	const rate = read("rate", "0", wholeNumber(0, 100_000));
	const options = {
		...common,
		code: read("code", "smpp", textUpTo(32, /^[a-z0-9][a-z0-9_-]*$/)),
		account: read("account", defaultAccount, textUpTo(100)),
		furtherHosts: read("hosts", "", furtherHosts(address)),
		window: read("window", "10", wholeNumber(1, 1_000)),
		binds: read("binds", "1", wholeNumber(1, 32)),
		mode: read("mode", "transceiver", oneOf("transceiver", "pair")),
		rate: rate === 0 ? undefined : rate,
		...ids,
		receipts: read("receipts", "named", oneOf("named", "unnamed")),
		receiptForm: read("receipt", "", receiptForm),
		receiptStates: read("receiptstates", "", stateTable),
		long: read("long", "udh", oneOf("udh", "sar", "payload")),
		encoding: read("encoding", "auto", oneOf("auto", "ucs2")),
		transliterate: read("transliterate", "no", oneOf("no", "yes")) === "yes",
		referenceBits: read("reference", "8", referenceBits),
		alphabet: read("alphabet", "gsm", oneOf("gsm", "latin1", "ascii")),
		recipient: read("recipient", "1.1", addressType),
		number: read("number", "1.1", addressType),
		name: read("name", "5.0", addressType),
		shortCode: read("shortcode", "3.0", addressType),
		statuses: read("statuses", "", statusTable(statusKinds)),
		reasons: read("reasons", "", reasonTable),
		serviceType: read("servicetype", "", textUpTo(5)),
		protocolId: read("protocol", "0", wholeNumber(0, 255)),
		priority: read("priority", "0", wholeNumber(0, 3)),
		tlvs: read("tlvs", "", tlvList),
		systemType: read("systemtype", "", textUpTo(12)),
		enquireSeconds: read("enquire", "10", wholeNumber(1, 600)),
		timeoutSeconds: read("timeout", "60", wholeNumber(1, 60)),
	};
	const ca = read("ca", "", readableFile);
	const certificate = readClientCertificate(read);
	// Of the times in receipts, which are not used: still allowed.
	read("timezone", "", textUpTo(6));
	finish();
	if (options.transliterate && options.encoding === "ucs2")
		throw problem("transliterate", "is of no use with encoding=ucs2");
	return { ...options, ca, ...certificate };
}

function idScheme(value: string): IdScheme {
	const scheme = ID_SCHEMES.get(value);
	if (scheme !== undefined) return scheme;
	throw new BadValue(`must be one of ${[...ID_SCHEMES.keys()].join(", ")}`);
}

function optionReader(query: URLSearchParams) {
	const known = new Set<string>();
	const read = <T>(
		name: string,
		fallback: string,
		parse: (value: string) => T,
	): T => {
		known.add(name);
		const values = query.getAll(name);
		if (values.length > 1) throw problem(name, "is given twice");
		return readValue(values[0] ?? fallback, parse, (what) =>
			problem(name, what),
		);
	};
	const finish = () => {
		for (const name of query.keys())
			if (!known.has(name))
				throw problem(name, `is unknown; known are ${[...known].join(", ")}`);
	};
	return { read, finish };
}

function problem(name: string, what: string): BadRoute {
	return new BadRoute(name, `The SMPP route's option "${name}" ${what}.`);
}
