-- When the message is to be sent; null for one that is sent at once, which costs a bit of the row.
alter table messages add column send_at timestamptz;

-- A message may be taken back while it waits.
alter table messages drop constraint messages_status, add constraint messages_status check (
	status in ('accepted', 'submitting', 'unknown', 'submitted', 'delivered', 'failed', 'canceled')
) not valid;
alter table messages drop constraint messages_finished, add constraint messages_finished check (
	(status in ('delivered', 'failed', 'canceled')) = (finished_at is not null)
) not valid;

-- From when on the message waits to be sent; null: from the time of its id.
alter table dispatch add column send_at timestamptz;

-- Messages that are not due yet: the queue holds due work only.
create table scheduled_messages (
	message_id uuid primary key,
	organization_id uuid not null,
	-- As it was chosen when the message was accepted; it is chosen again when the message is due.
	route text not null,
	segments smallint not null,
	due_at timestamptz not null
);

create index scheduled_messages_due on scheduled_messages (due_at);

-- Messages that the scan for missing receipts has passed before their receipt was due.
create table late_receipts (
	message_id uuid primary key,
	due_at timestamptz not null
);

create index late_receipts_due on late_receipts (due_at);

-- Quota of canceled messages that is to be given back; a row goes once accounts has done so.
create table quota_releases (
	message_id uuid primary key,
	organization_id uuid not null,
	canceled_at timestamptz not null default now()
);
