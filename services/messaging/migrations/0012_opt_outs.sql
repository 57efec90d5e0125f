-- Numbers that an organization sends nothing to, from one of its senders or from all of them.
create table opt_outs (
	id uuid primary key,
	organization_id uuid not null,
	-- Keyed hash of the number, see src/store/opt-outs/opt-outs.ts. An entry is found by it, also once its number was erased.
	recipient_hash bytea not null,
	-- Empty once it was erased.
	recipient text not null,
	-- The sender's value; empty for all senders.
	sender text not null,
	source text not null,
	created_at timestamptz(3) not null default now(),
	constraint opt_outs_source check (source in ('keyword', 'api', 'import', 'whatsapp'))
);

-- The number comes first: what is asked is always one number of one organization, and an erasure names a number alone.
create unique index opt_outs_by_number on opt_outs (recipient_hash, organization_id, sender);
create index opt_outs_by_organization on opt_outs (organization_id, created_at, id);

-- One row, made here and never changed: without it no entry is found any more.
create table opt_out_key (
	key bytea not null
);

insert into opt_out_key
select sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));

-- What an admin has set for an organization; without a row, or with null, the default holds. An empty text is none.
create table opt_out_settings (
	organization_id uuid primary key,
	scope text not null default 'sender',
	stop_text text,
	start_text text,
	help_text text,
	exempts_one_time_passwords boolean not null default false,
	constraint opt_out_settings_scope check (scope in ('sender', 'organization'))
);

-- Lists of words that take the place of the built-in ones; '*' is every country.
create table opt_out_words (
	country text not null,
	family text not null,
	words text[] not null,
	primary key (country, family),
	constraint opt_out_words_family check (family in ('stop', 'start', 'help'))
);

-- Responses to words, from the transaction that took the word until the response is accepted as a message.
create table opt_out_replies (
	id uuid primary key,
	organization_id uuid not null,
	recipient text not null,
	-- The number that the word was sent to; the response comes from it where it is an approved sender.
	sender text not null,
	family text not null,
	body text not null,
	-- Whether it goes to a number that has opted out.
	exempt boolean not null,
	due_at timestamptz not null default now(),
	created_at timestamptz not null default now(),
	constraint opt_out_replies_family check (family in ('stop', 'start', 'help'))
);

create index opt_out_replies_due on opt_out_replies (due_at);
-- A word that comes again before its response went out gets no second one.
create unique index opt_out_replies_by_recipient on opt_out_replies (recipient, organization_id, sender, family);

-- 'one_time_password' or 'opt_out_reply'; null for any other message costs a bit of the row.
alter table messages add column message_class text;
