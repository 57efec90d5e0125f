-- Due work only: what is still to be sent. A message without a response waits for a status in its own row.
create table dispatch (
	message_id uuid primary key,
	phone_number_id uuid not null,
	recipient text not null,
	template_id uuid,
	-- Template parameters or the text. Kept here alone, and only until the submit.
	content jsonb not null,
	due_at timestamptz not null default now(),
	expires_at timestamptz not null,
	attempt integer not null default 0,
	refusals integer not null default 0,
	token uuid,
	-- True from just before the submit on: what a crash leaves behind then is unknown.
	submitting boolean not null default false,
	constraint dispatch_submitting check (not submitting or token is not null)
) with (
	-- Room for the claim and the mark of each row beside it: both are heap-only updates.
	fillfactor = 45,
	autovacuum_vacuum_scale_factor = 0.05,
	autovacuum_vacuum_threshold = 2000
);

create index dispatch_due on dispatch (phone_number_id, due_at);
create index dispatch_expiring on dispatch (expires_at);

-- No other index begins with the recipient, so the choice does not hang on how long the queue seems.
create index dispatch_by_recipient on dispatch (recipient);

-- As with conversations.
alter table dispatch alter column phone_number_id set statistics 0;

-- Organizations whose accepted messages wait, as an admin decided.
create table suspended_organizations (
	organization_id uuid primary key,
	suspended_at timestamptz not null default now()
);
