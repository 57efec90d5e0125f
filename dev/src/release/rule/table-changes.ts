import type {
	AlterTableCmd,
	AlterTableStmt,
	ColumnDef,
	Constraint,
} from "libpg-query";
import { columnsIn, nodesIn } from "./parse-migration.ts";
import {
	type Refusal,
	refuse,
	refuseContract,
	type Unreleased,
} from "./refusal.ts";

/** They change how a table is stored or planned from now on, and read nothing. */
const HARMLESS = [
	...(["AT_SetStatistics", "AT_SetOptions", "AT_ResetOptions"] as const),
	...(["AT_SetRelOptions", "AT_ResetRelOptions"] as const),
	...(["AT_SetStorage", "AT_SetCompression", "AT_DropNotNull"] as const),
];
/** Functions whose value is the same for all rows that are there: it is stored once, for the column. */
const STABLE_FUNCTIONS = ["now", "statement_timestamp"];
const INTEGER_WITH_SEQUENCE = /^(small|big)?serial\d?$/;

interface Change {
	readonly table: string;
	/** Constraints that the same statement drops, and those that it adds. */
	readonly dropped: readonly string[];
	readonly added: readonly string[];
	readonly unreleased: Unreleased;
}

/** What is wrong with an `alter table` of a table that the last release has. */
export function judgeTableChange(
	{ relation, cmds = [] }: AlterTableStmt,
	unreleased: Unreleased,
): Refusal[] {
	const commands = cmds.flatMap((node) =>
		"AlterTableCmd" in node ? [node.AlterTableCmd] : [],
	);
	const change = {
		table: relation?.relname ?? "",
		dropped: commands
			.filter(({ subtype }) => subtype === "AT_DropConstraint")
			.map(({ name = "" }) => name),
		added: commands.flatMap(({ def }) =>
			def !== undefined && "Constraint" in def
				? [def.Constraint.conname ?? ""]
				: [],
		),
		unreleased,
	};
	return commands.flatMap((command) => judgeCommand(command, change));
}

function judgeCommand(command: AlterTableCmd, change: Change): Refusal[] {
	const { table, added, unreleased } = change;
	const { subtype = "", name = "", def } = command;
	if (HARMLESS.some((each) => each === subtype)) return [];
	const isNew = unreleased.hasColumn(table, name);
	switch (subtype) {
		case "AT_AddColumn":
			if (def === undefined || !("ColumnDef" in def)) break;
			unreleased.addColumn(table, def.ColumnDef.colname ?? "");
			return judgeNewColumn(def.ColumnDef);
		case "AT_AddConstraint":
			if (def === undefined || !("Constraint" in def)) break;
			return judgeConstraint(def.Constraint, change);
		case "AT_ColumnDefault":
			if (def !== undefined || isNew) return [];
			return [refuseContract(`takes away the default of ${name}`)];
		case "AT_DropColumn":
			return isNew ? [] : [refuseContract(`drops the column ${name}`)];
		case "AT_DropConstraint":
			// One that the same statement adds again is a wider one.
			return added.includes(name)
				? []
				: [refuseContract(`drops the constraint ${name}`)];
		case "AT_AlterColumnType":
			return [
				refuse(
					`changes the type of ${name}, for which every row is written again while nobody may use the table`,
					"Add a column of the new type, write both, fill it in batches, then read it alone.",
				),
			];
		case "AT_SetNotNull":
			return [
				refuse(
					`reads the whole table for \`set not null\` of ${name} while nobody may use it`,
					"Use `add constraint ... not null ... not valid`, and validate it outside of a transaction.",
				),
			];
		case "AT_ValidateConstraint":
			return [
				refuse(
					`reads the whole table to validate ${name}, while all that its transaction has locked stays locked`,
					"Put it into a file of its own that begins with `-- outside of a transaction`.",
				),
			];
	}
	return [
		refuse(
			`is a change of a table that the rule does not know (${subtype})`,
			"Find out on PostgreSQL what it locks and for how long, and teach the rule (dev/src/release/rule).",
		),
	];
}

function judgeNewColumn(column: ColumnDef): Refusal[] {
	const { colname = "", constraints = [], typeName } = column;
	const type = typeName?.names?.at(-1);
	const typeWord =
		type !== undefined && "String" in type ? (type.String.sval ?? "") : "";
	if (INTEGER_WITH_SEQUENCE.test(typeWord)) return [rewrites(colname)];
	const own = constraints.flatMap((node) =>
		"Constraint" in node ? [node.Constraint] : [],
	);
	const value = own.find(({ contype }) => contype === "CONSTR_DEFAULT");
	return own.flatMap((constraint) => {
		switch (constraint.contype) {
			case "CONSTR_NULL":
				return [];
			case "CONSTR_DEFAULT":
				return isStable(constraint.raw_expr) ? [] : [rewrites(colname)];
			case "CONSTR_NOTNULL":
				if (value !== undefined) return [];
				return [
					refuse(
						`adds ${colname} as not null without a default, which the last release's inserts do not fill`,
						"Give it a default, or let it be null.",
					),
				];
			case "CONSTR_GENERATED":
				if (constraint.generated_kind === "v") return [];
				return [rewrites(colname)];
			case "CONSTR_IDENTITY":
				return [rewrites(colname)];
			default:
				return [
					refuse(
						`adds ${colname} together with a constraint, for which the whole table is read while nobody may use it`,
						"Add the column alone, then the constraint with `not valid`, or by an index that was built concurrently.",
					),
				];
		}
	});
}

function rewrites(column: string): Refusal {
	return refuse(
		`adds ${column} with a value that differs by row: every row is written again while nobody may use the table`,
		"Add it without a default, then fill it in batches outside of a transaction.",
	);
}

/** True for a constant, now(), and what is computed from these. */
function isStable(expression: unknown): boolean {
	const called = nodesIn(expression, "FuncCall").map((call) => {
		const { funcname } = call as { funcname?: { String?: { sval: string } }[] };
		return funcname?.at(-1)?.String?.sval ?? "";
	});
	return called.every((name) => STABLE_FUNCTIONS.includes(name));
}

function judgeConstraint(
	constraint: Constraint,
	{ table, dropped, unreleased }: Change,
): Refusal[] {
	const { contype, conname = "", skip_validation, indexname } = constraint;
	const isBuiltFromIndex = indexname !== undefined;
	if (skip_validation !== true && !isBuiltFromIndex)
		return [
			refuse(
				`adds the constraint ${conname} and reads the whole table for it while nobody may write to it`,
				contype === "CONSTR_UNIQUE" || contype === "CONSTR_PRIMARY"
					? "Build the index concurrently, then add the constraint with `using index`."
					: "Add it with `not valid`, and validate it outside of a transaction.",
			),
		];
	const columns = [...columnsIn(constraint), ...keysOf(constraint)];
	const isOfNewColumns =
		columns.length > 0 &&
		columns.every((column) => unreleased.hasColumn(table, column));
	if (isOfNewColumns || dropped.includes(conname)) return [];
	return [
		refuseContract(
			`adds the constraint ${conname}, which the last release may break`,
		),
	];
}

function keysOf({ keys = [], fk_attrs = [] }: Constraint): string[] {
	return [...keys, ...fk_attrs].flatMap((node) =>
		"String" in node ? [node.String.sval ?? ""] : [],
	);
}
