-- Explicit recipients as the client gave them, until the snapshot has read them.
create table recipient_imports (
	campaign_id uuid not null references campaigns (id),
	position integer not null,
	phones text[] not null,
	primary key (campaign_id, position)
);

-- One row per (campaign, phone): whoever is here has been or will be sent to once.
create table recipients (
	campaign_id uuid not null,
	phone text not null,
	sequence bigint generated always as identity,
	name text not null default '',
	state text not null default 'pending',
	reason text,
	message_id uuid,
	primary key (campaign_id, phone),
	constraint recipients_state check (state in ('pending', 'skipped', 'accepted', 'delivered', 'failed')),
	constraint recipients_reason check (state not in ('skipped') or reason is not null)
);

create index recipients_pending on recipients (campaign_id, sequence) where state = 'pending';

-- The few that were left out or not reached, for lists of them.
create index recipients_left_out on recipients (campaign_id, state, phone) where state in ('skipped', 'failed');

-- Statistics know nothing of a campaign that has just begun, and the planner takes it for a few rows. Without them it
-- guesses a share of the table, and reads the pending recipients by their own index.
alter table recipients alter column campaign_id set statistics 0;

-- What was given again in the list of a campaign: it gets no message of its own, and is listed as skipped.
create table recipient_duplicates (
	campaign_id uuid not null,
	phone text not null,
	sequence bigint generated always as identity,
	primary key (campaign_id, phone, sequence)
);

-- As with recipients: a list of duplicates is read by its key, however large a share of the table it is.
alter table recipient_duplicates alter column campaign_id set statistics 0;
