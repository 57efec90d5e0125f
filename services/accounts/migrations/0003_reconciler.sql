-- The last usage entry of each channel that is settled for good: its message exists, or the unit was given back.
create table reconciler_watermarks (
	channel text primary key check (channel in ('sms', 'whatsapp')),
	created_at timestamptz(3) not null,
	entry_id uuid not null,
	-- No usage entry of a statement that begins from now on is dated before this, however the clock is set: what is older
	-- is complete once the statements that began earlier have ended.
	closing_at timestamptz(3) not null default 'epoch',
	-- The last stored message that was looked at for its debit: the check in the other direction.
	checked_message_id uuid not null default '00000000-0000-0000-0000-000000000000'
);

insert into reconciler_watermarks (channel, created_at, entry_id)
values ('sms', 'epoch', '00000000-0000-0000-0000-000000000000');

-- Messages that messaging has stored and nobody has paid for, until an admin settles them.
create table undebited_messages (
	message_id uuid primary key,
	organization_id uuid not null,
	reason text not null check (reason in ('never_debited', 'given_back')),
	found_at timestamptz(3) not null default now()
);

create index undebited_messages_listed on undebited_messages (found_at, message_id);
create index undebited_messages_by_organization on undebited_messages (organization_id, found_at, message_id);
