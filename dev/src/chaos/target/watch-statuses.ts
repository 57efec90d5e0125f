import type postgres from "postgres";

/** By table: the steps that must never be seen. */
const BACKWARDS = {
	"messaging.messages": `
		old.status in ('delivered', 'failed')
		or old.status = 'submitted' and new.status not in ('delivered', 'failed')
		or old.status in ('submitting', 'unknown') and new.status = 'accepted'`,
	"whatsapp.messages": `
		old.status in ('read', 'failed')
		or old.status = 'delivered' and new.status <> 'read'
		or old.status = 'sent' and new.status in ('accepted', 'unknown')`,
	"campaigns.campaigns":
		"old.status in ('completed', 'completed_with_errors', 'failed', 'cancelled')",
};

/** Every change of a status is judged by the database itself; those that go backwards are kept. */
export async function watchStatuses(sql: postgres.Sql): Promise<void> {
	await sql`create schema chaos`;
	await sql`
		create table chaos.backwards (
			id uuid not null,
			was text not null,
			becomes text not null
		)
	`;
	await sql`
		create function chaos.note_backwards() returns trigger
		language plpgsql
		security definer
		as $$
		begin
			insert into chaos.backwards values (new.id, old.status, new.status);
			return null;
		end
		$$
	`;
	for (const [table, condition] of Object.entries(BACKWARDS))
		await sql.unsafe(`
			create trigger chaos_backwards
			after update on ${table}
			for each row
			when (old.status <> new.status and (${condition}))
			execute function chaos.note_backwards()
		`);
}
