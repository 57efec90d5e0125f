import { concurrentIndexIn } from "@airtower/platform/database/migration/outside-transaction";
import type {
	AlterTableStmt,
	DropStmt,
	IndexStmt,
	InsertStmt,
	Node,
	RangeVar,
} from "libpg-query";
import { nodesIn, type Statement } from "./parse-migration.ts";
import {
	type Refusal,
	refuse,
	refuseContract,
	type Unreleased,
} from "./refusal.ts";
import { judgeTableChange } from "./table-changes.ts";

/** New things that nobody uses yet, and sentences about others. */
const HARMLESS = [
	...(["CreateFunctionStmt", "CreateTrigStmt", "CreateSeqStmt"] as const),
	...(["CommentStmt", "GrantStmt"] as const),
];
const BATCH_REMEDY =
	"Change it in a file that begins with `-- outside of a transaction`, a batch at a time.";

/** What is wrong with a statement of a file whose statements are applied in one transaction. */
export function judgeInTransaction(
	{ node }: Statement,
	unreleased: Unreleased,
): Refusal[] {
	const kind = kindOf(node);
	if (HARMLESS.some((each) => each === kind)) return [];
	if ("CreateStmt" in node) {
		const { relation, partbound, inhRelations = [] } = node.CreateStmt;
		const parents = inhRelations.flatMap((each) =>
			"RangeVar" in each ? [each.RangeVar] : [],
		);
		unreleased.addTable(nameOf(relation));
		if (partbound === undefined || parents.every(isUnreleased(unreleased)))
			return [];
		return [
			refuse(
				"makes a partition of a table that the last release has, which nobody may use meanwhile",
				"Services make partitions themselves.",
			),
		];
	}
	if ("IndexStmt" in node) return judgeIndex(node.IndexStmt, unreleased);
	if ("AlterTableStmt" in node)
		return isUnreleased(unreleased)(node.AlterTableStmt.relation)
			? []
			: judgeTableChange(node.AlterTableStmt, unreleased);
	if ("RenameStmt" in node)
		return isUnreleased(unreleased)(node.RenameStmt.relation)
			? []
			: [refuseContract("renames what the last release names")];
	if ("DropStmt" in node) return judgeDrop(node.DropStmt, unreleased);
	if ("InsertStmt" in node) return judgeInsert(node.InsertStmt, unreleased);
	if ("UpdateStmt" in node || "DeleteStmt" in node) {
		const { relation } =
			"UpdateStmt" in node ? node.UpdateStmt : node.DeleteStmt;
		if (isUnreleased(unreleased)(relation)) return [];
		return [
			refuse(
				"changes rows and keeps them locked until the last migration has been applied",
				BATCH_REMEDY,
			),
		];
	}
	return [unknown(kind)];
}

/** What is wrong with a statement that runs by itself, and once more after a crash. */
export function judgeOutside({ node, text }: Statement): Refusal[] {
	const kind = kindOf(node);
	if ("IndexStmt" in node) {
		const { idxname, unique } = node.IndexStmt;
		if (idxname === undefined || concurrentIndexIn(text) !== idxname)
			return [notConcurrent()];
		return unique ? [refuseContract("adds a unique index")] : [];
	}
	if ("DropStmt" in node) {
		const { concurrent, missing_ok, removeType } = node.DropStmt;
		if (removeType === "OBJECT_INDEX" && concurrent && missing_ok)
			return [refuseContract("drops an index")];
	}
	if ("AlterTableStmt" in node && isValidation(node.AlterTableStmt)) return [];
	if ("UpdateStmt" in node || "DeleteStmt" in node || "InsertStmt" in node)
		return judgeBatch(node);
	return [
		refuse(
			`is not safe to run again after a crash (${kind})`,
			"Put it into a file whose statements are applied in one transaction.",
		),
	];
}

function judgeBatch(node: Node): Refusal[] {
	if (nodesIn(node, "limitCount").length === 0)
		return [
			refuse(
				"changes all rows at once and keeps them locked meanwhile",
				"Name a batch of rows that are not changed yet by `limit`; it is repeated until there are none.",
			),
		];
	if ("InsertStmt" in node && node.InsertStmt.onConflictClause === undefined)
		return [
			refuse(
				"inserts its rows once more when it is repeated",
				"Add `on conflict do nothing`.",
			),
		];
	return [];
}

function isValidation({ cmds = [] }: AlterTableStmt): boolean {
	const [only, ...others] = cmds;
	return (
		others.length === 0 &&
		only !== undefined &&
		"AlterTableCmd" in only &&
		only.AlterTableCmd.subtype === "AT_ValidateConstraint"
	);
}

function judgeIndex(
	{ relation, concurrent }: IndexStmt,
	unreleased: Unreleased,
): Refusal[] {
	if (!concurrent && isUnreleased(unreleased)(relation)) return [];
	return [notConcurrent()];
}

function notConcurrent(): Refusal {
	return refuse(
		"builds an index while nobody may write to its table, or cannot be run again after a crash",
		"Write `create index concurrently if not exists` in a file that begins with `-- outside of a transaction`.",
	);
}

function judgeDrop(
	{ objects = [], removeType }: DropStmt,
	unreleased: Unreleased,
): Refusal[] {
	if (removeType === "OBJECT_INDEX")
		return [
			refuse(
				"drops an index while nobody may use its table",
				"Write `drop index concurrently if exists` in a file that begins with `-- outside of a transaction`.",
			),
		];
	const names = objects.flatMap((object) => {
		const items = "List" in object ? (object.List.items ?? []) : [];
		const last = items.at(-1);
		return last !== undefined && "String" in last
			? [last.String.sval ?? ""]
			: [];
	});
	const isOwn =
		removeType === "OBJECT_TABLE" &&
		names.every((name) => unreleased.hasTable(name));
	return isOwn ? [] : [refuseContract("drops what the last release has")];
}

function judgeInsert(
	{ relation, selectStmt }: InsertStmt,
	unreleased: Unreleased,
): Refusal[] {
	const copied = nodesIn(selectStmt, "RangeVar") as RangeVar[];
	if (copied.every(isUnreleased(unreleased))) return [];
	return [
		refuse(
			`copies rows to ${nameOf(relation)} while its transaction keeps what it has locked`,
			BATCH_REMEDY,
		),
	];
}

function unknown(kind: string): Refusal {
	return refuse(
		`is of a kind that the rule does not know (${kind})`,
		"Find out on PostgreSQL what it locks and for how long, and teach the rule (dev/src/release/rule).",
	);
}

function isUnreleased(unreleased: Unreleased) {
	return (relation: RangeVar | undefined) =>
		unreleased.hasTable(nameOf(relation));
}

function nameOf(relation: RangeVar | undefined): string {
	return relation?.relname ?? "";
}

function kindOf(node: Node): string {
	return Object.keys(node)[0] ?? "";
}
