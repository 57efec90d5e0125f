import type { Queryable, Tx } from "@airtower/platform/database/database";
import type postgres from "postgres";

export interface Contact {
	readonly id: number;
	readonly name: string;
	readonly phone: string;
	readonly email: string | null;
	readonly tags: string[];
	readonly createdAt: Date;
}

export interface NewContact {
	readonly name: string;
	readonly phone: string;
	readonly email: string | null;
	readonly tags: readonly string[];
}

interface ContactPage {
	readonly limit: number;
	readonly after: Pick<Contact, "createdAt" | "id"> | undefined;
}

const columns = (sql: Queryable) => sql`
	c.id, c.name, c.phone, c.email, c.tags, c.created_at as "createdAt"
`;

/**
 * Inserts a contact and its tag rows; returns undefined when the organization already has the phone. `count` is how
 * many contacts the organization has now.
 */
export async function insertContact(
	sql: Tx,
	organizationId: string,
	contact: NewContact,
): Promise<(Contact & { readonly count: number }) | undefined> {
	const [row] = await sql<Contact[]>`
		insert into contacts as c (organization_id, name, phone, email, tags)
		values (${organizationId}, ${contact.name}, ${contact.phone}, ${contact.email}, ${contact.tags}::text[])
		on conflict do nothing
		returning ${columns(sql)}
	`;
	if (row === undefined) return undefined;
	await sql`
		insert into contact_tags (organization_id, tag, created_at, contact_id)
		select ${organizationId}, tag, ${row.createdAt}, ${row.id}
		from unnest(${contact.tags}::text[]) as tag
	`;
	const [{ count }] = await sql<[{ count: number }]>`
		insert into contact_counts as c (organization_id, contacts)
		values (${organizationId}, 1)
		on conflict (organization_id) do update set contacts = c.contacts + 1
		returning contacts as count
	`;
	return { ...row, count };
}

export async function findContacts(
	sql: Queryable,
	organizationId: string,
	{ limit, after }: ContactPage,
): Promise<Contact[]> {
	return sql<Contact[]>`
		select ${columns(sql)}
		from contacts as c
		where c.organization_id = ${organizationId}
		${after === undefined ? sql`` : sql`and (c.created_at, c.id) < (${after.createdAt}, ${after.id})`}
		order by c.created_at desc, c.id desc
		limit ${limit}
	`;
}

export async function findContactsByTag(
	sql: Queryable,
	organizationId: string,
	tag: string,
	{ limit, after }: ContactPage,
): Promise<Contact[]> {
	return sql<Contact[]>`
		select ${columns(sql)}
		from contact_tags as t
		join contacts as c on c.id = t.contact_id
		where t.organization_id = ${organizationId}
		and t.tag = ${tag}
		${after === undefined ? sql`` : sql`and (t.created_at, t.contact_id) < (${after.createdAt}, ${after.id})`}
		order by t.created_at desc, t.contact_id desc
		limit ${limit}
	`;
}

/** Deletes a contact; returns false when the organization has none of that id. */
export async function removeContact(
	sql: Queryable,
	organizationId: string,
	id: number,
): Promise<boolean> {
	const which = sql`
		select id
		from contacts
		where organization_id = ${organizationId}
		and id = ${id}
	`;
	return (await deleteContacts(sql, which)) === 1;
}

/** Deletes the contacts whose ids `which` selects, and lowers their organizations' counts; returns how many. */
export async function deleteContacts(
	sql: Queryable,
	which: postgres.Fragment,
): Promise<number> {
	const [row] = await sql<[{ deleted: number }]>`
		with deleted as (
			delete from contacts
			where id = any(array(${which}))
			returning organization_id
		),
		-- Locked in one order, so that two deletions from several organizations cannot deadlock.
		locked as (
			select organization_id
			from contact_counts
			where organization_id in (select organization_id from deleted)
			order by organization_id
			for update
		),
		lowered as (
			update contact_counts as c
			set contacts = c.contacts - d.deleted
			from (
				select organization_id, count(*) as deleted
				from deleted
				join locked using (organization_id)
				group by organization_id
			) as d
			where c.organization_id = d.organization_id
		)
		select count(*)::int as deleted
		from deleted
	`;
	return row.deleted;
}
