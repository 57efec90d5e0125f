-- What admins have done, and which keys were made or removed: a row in the transaction of the act.
create table audit_entries (
	id uuid primary key,
	created_at timestamptz(3) not null default now(),
	organization_id uuid,
	actor_kind text not null check (actor_kind in ('admin', 'api_key', 'service')),
	actor text not null,
	address text,
	action text not null,
	subject text,
	before jsonb,
	after jsonb
);

create index audit_entries_listed on audit_entries (created_at, id);
create index audit_entries_by_organization on audit_entries (organization_id, created_at, id);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
	raise exception 'entries of the audit are never changed' using errcode = 'restrict_violation';
end $$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
for each statement execute function refuse_audit_change();
