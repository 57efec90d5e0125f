import {
	type Diagnosis,
	type Finding,
	foundBy,
	type Tally,
} from "./diagnosis.ts";

/** What was diagnosed, and of how many. */
interface DiagnosedReceipts extends Diagnosis {
	readonly account: string;
	/** Value of `ids` of its routes; empty where ids are read as they are written. */
	readonly ids: string;
	readonly receipts: number;
}

/** What is wrong with the receipts of an account, in sentences for people. */
export function conclude(diagnosed: DiagnosedReceipts): string[] {
	const { receipts, findings, asStored } = diagnosed;
	if (receipts === 0) return ["No receipt is parked for this account."];
	const proposed = findings.filter(({ isProposed }) => isProposed);
	const told = proposed.map((finding) => toSentence(diagnosed, finding));
	return [
		...told,
		...(told.length === 0 ? [nothingProposed(diagnosed)] : []),
		...waiting(asStored, receipts),
	];
}

function toSentence(
	{ account, ids, receipts }: DiagnosedReceipts,
	{ proposal, tally, wouldMatch }: Finding,
): string {
	const many = `${wouldMatch} of ${receipts} receipts`;
	const [option, value = ""] = proposal.split(/=(.*)/s);
	const against = speaksAgainst(tally);
	if (option === "account")
		return `${many} came for account ${account} and are of messages of account ${value}${against}.`;
	if (option === "clock")
		return (
			`${many} have ids that no message has, and each names the number and the time of one message, by a clock that is ${value} ahead ` +
			`of ours${against}. This matches what is parked; for what comes, ask the operator to send the ids that it gave.`
		);
	if (value === ids)
		return `${many} match as the route is set now (ids=${ids}); they were stored under another setting${against}.`;
	return `${many} match with ids=${value}; the route has ids=${ids}${against}.`;
}

function speaksAgainst({ unnumbered, ambiguous, contradicted }: Tally): string {
	const facts = [
		unnumbered > 0 && `${unnumbered} of them name no number that tells`,
		ambiguous > 0 && `${ambiguous} would fit several messages`,
		contradicted > 0 && `${contradicted} name another number`,
	].filter(Boolean);
	return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

function nothingProposed({ receipts, asStored }: DiagnosedReceipts): string {
	if (asStored.contradicted * 2 > receipts)
		return (
			`${asStored.contradicted} of ${receipts} receipts have ids of messages to other numbers: the operator counts anew, or ` +
			"writes other numbers than the recipients'. Nothing is proposed, for such receipts may be of other messages; ask the operator."
		);
	return (
		`No form of ids and no other account matches the ${receipts} receipts better than now. They may be of messages that ` +
		"another system sent, that have ended, or that are older than what was compared; ask the operator for the ids that it gave."
	);
}

function waiting(asStored: Tally, receipts: number): string[] {
	const found = foundBy(asStored);
	return found === 0
		? []
		: [
				`${found} of ${receipts} receipts match as they are and wait for their next look.`,
			];
}
