-- Organizations whose accepted messages an admin holds back.
create table held_organizations (
	organization_id uuid primary key,
	held_at timestamptz not null default now()
);

-- Who has a value approved that another one asks for.
create index sender_ids_approved on sender_ids (lower(value)) where status = 'approved';
