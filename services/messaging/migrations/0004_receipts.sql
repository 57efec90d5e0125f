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
	-- Ends of the numbers that a receipt names: what tells its message from another whose id can be read as the receipt's.
	number_tails text[] not null default '{}',
	-- The two addresses that a receipt names, without plus and in small letters.
	addresses text[] not null default '{}',
	constraint receipts_state check (state in ('delivered', 'failed', 'intermediate'))
) with (
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

create index receipts_due on receipts (due_at);

-- Finds those that have waited too long. None finds them by their keys: that index cost more, under load, than all that
-- it found.
create index receipts_parked on receipts (received_at) where misses > 0;

-- Submits that ended without a response: what a receipt without a known id may be of. Kept until the receipt or the
-- response has come, and as long as one may.
create table unanswered (
	message_id uuid not null,
	attempt integer not null,
	route text not null,
	recipient_tail text not null,
	sent_at timestamptz not null,
	-- The number of the last receipt that was stored before the message was claimed, see `dispatch`.
	receipts_before bigint not null default 0,
	primary key (message_id, attempt)
);

create index unanswered_by_recipient on unanswered (recipient_tail, sent_at);
create index unanswered_by_age on unanswered (sent_at);

-- How far a job has come that looks at every message once, in the order of ids.
create table scans (
	name text primary key,
	upto uuid not null
);

insert into scans values ('no_receipt', '00000000-0000-0000-0000-000000000000');
