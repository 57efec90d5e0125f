create table sender_ids (
	id uuid primary key,
	organization_id uuid not null,
	value text not null,
	status text not null default 'pending',
	is_default boolean not null default false,
	rejection_reason text,
	created_at timestamptz not null default now(),
	decided_at timestamptz,
	constraint sender_ids_status check (
		status in ('pending', 'approved', 'rejected', 'suspended')
	),
	constraint sender_ids_value unique (organization_id, value)
);

create unique index sender_ids_default on sender_ids (organization_id) where is_default;
create index sender_ids_pending on sender_ids (created_at, id) where status = 'pending';

-- Who has a value approved that another one asks for.
create index sender_ids_approved on sender_ids (lower(value)) where status = 'approved';
