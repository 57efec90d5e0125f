-- Who receives the texts to a number: those that begin with the keyword, or, without one, all that no keyword takes.
create table inbound_numbers (
	number text not null,
	keyword text,
	organization_id uuid not null,
	created_at timestamptz not null default now(),
	constraint inbound_numbers_key unique nulls not distinct (number, keyword)
);

-- Parts of long texts that are not whole yet.
create table inbound_parts (
	id bigint generated always as identity primary key,
	route text not null,
	operator_account text not null,
	sender text not null,
	recipient text not null,
	-- What the parts of one text have in common: the reference, and in how many parts it comes.
	reference_bits smallint not null,
	reference integer not null,
	total smallint not null,
	number smallint not null,
	charset text not null,
	octets bytea not null,
	received_at timestamptz not null default now(),
	-- When the text is given on although parts are missing, unless another part comes before.
	due_at timestamptz not null
) with (
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

create index inbound_parts_by_text on inbound_parts (operator_account, sender, recipient, reference_bits, reference, total);
create index inbound_parts_due on inbound_parts (due_at);

-- What came within the time in which an operator may repeat it: a hash of all that a repetition has in common.
create table inbound_seen (
	fingerprint bytea primary key,
	until timestamptz not null
) with (
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

create index inbound_seen_until on inbound_seen (until);

-- Texts that are whole, or were given on as they were.
create table inbound_messages (
	id uuid primary key,
	-- Null for a number that nobody has.
	organization_id uuid,
	route text not null,
	sender text not null,
	recipient text not null,
	body text not null,
	encoding text not null,
	keyword text,
	part_count smallint not null,
	is_complete boolean not null,
	received_at timestamptz not null default now()
);

create index inbound_messages_by_organization on inbound_messages (organization_id, id);
