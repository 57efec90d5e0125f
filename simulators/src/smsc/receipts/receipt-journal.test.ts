import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { PendingReceipt } from "./receipt.ts";
import { ReceiptJournal } from "./receipt-journal.ts";

async function journalFile(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "smsc-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return join(folder, "receipts.jsonl");
}

function receipt(number: number): PendingReceipt {
	return {
		systemId: "airtower",
		number: BigInt(number),
		key: `${number}/1`,
		recipient: "33612349999",
		sender: "Airtower",
		stat: "DELIVRD",
		err: "000",
		submittedAt: 1,
		doneAt: 2,
	};
}

test("what was not taken is kept, each receipt by itself", async () => {
	const file = await journalFile();
	const journal = new ReceiptJournal(file);
	const second = { ...receipt(2), key: "2/2" };
	for (const one of [receipt(1), receipt(2), second, receipt(3)])
		journal.ordered(one);
	for (const number of [1, 2]) journal.taken(receipt(number));
	journal.close();
	expect(new ReceiptJournal(file).kept).toEqual([second, receipt(3)]);
});

test("a run that ended within a line keeps the lines before", async () => {
	const file = await journalFile();
	const journal = new ReceiptJournal(file);
	journal.ordered(receipt(1));
	journal.close();
	await appendFile(file, '{"taken":"1');
	expect(new ReceiptJournal(file).kept).toEqual([receipt(1)]);
	const again = new ReceiptJournal(file);
	again.taken(receipt(1));
	again.close();
	expect(new ReceiptJournal(file).kept).toEqual([]);
});

test("a line that a full disk has cut takes no other one with it", async () => {
	const file = await journalFile();
	const journal = new ReceiptJournal(file);
	journal.ordered(receipt(1));
	journal.flush();
	await appendFile(file, '{"ordered":{"systemId":"air');
	journal.ordered(receipt(2));
	journal.close();
	expect(new ReceiptJournal(file).kept).toEqual([receipt(1), receipt(2)]);
});

test("a file does not grow for ever, though there is always a receipt that waits", async () => {
	const file = await journalFile();
	const journal = new ReceiptJournal(file);
	journal.ordered(receipt(0));
	for (let number = 1; number <= 20_000; number++) {
		journal.ordered(receipt(number));
		journal.flush();
		journal.taken(receipt(number - 1));
		journal.flush();
	}
	journal.close();
	const lines = (await readFile(file, "utf8")).split("\n");
	expect(lines.length).toBeLessThan(10_010);
	expect(new ReceiptJournal(file).kept).toEqual([receipt(20_000)]);
});
