-- The last stored message that was looked at for its debit: the check in the other direction.
alter table reconciler_watermarks
	add column checked_message_id uuid not null default '00000000-0000-0000-0000-000000000000';

-- Messages that messaging has stored and nobody has paid for, until an admin settles them.
create table undebited_messages (
	message_id uuid primary key,
	organization_id uuid not null,
	reason text not null check (reason in ('never_debited', 'given_back')),
	found_at timestamptz(3) not null default now()
);

create index undebited_messages_listed on undebited_messages (found_at, message_id);
create index undebited_messages_by_organization on undebited_messages (organization_id, found_at, message_id);
