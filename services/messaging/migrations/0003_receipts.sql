-- Parts that an operator has taken; receipts are matched to them.
create table parts (
	message_id uuid not null,
	number smallint not null,
	part_count smallint not null,
	operator_account text not null,
	operator_message_id text not null,
	operator_key text not null,
	state text not null default 'submitted',
	operator_error text,
	primary key (message_id, number),
	constraint parts_state check (state in ('submitted', 'delivered', 'failed'))
) partition by range (message_id);

create index parts_by_operator_key on parts (operator_account, operator_key, message_id);

create table parts_default partition of parts default;

-- Receipts that wait to be applied, or for the part they belong to.
create table receipts (
	id bigint generated always as identity primary key,
	operator_account text not null,
	operator_message_id text not null,
	match_keys text[] not null,
	state text not null,
	reason text,
	operator_error text not null,
	raw text not null,
	received_at timestamptz not null default now(),
	due_at timestamptz not null default now(),
	misses integer not null default 0,
	constraint receipts_state check (state in ('delivered', 'failed', 'intermediate'))
) with (
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

create index receipts_due on receipts (due_at, id);
create index receipts_parked on receipts using gin (match_keys) where misses > 0;
