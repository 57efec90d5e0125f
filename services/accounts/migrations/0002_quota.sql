-- A balance is updated by every batch: free space on its page keeps those updates off the index.
create table balances (
	organization_id uuid primary key references organizations (id),
	balance bigint not null default 0 constraint balances_in_range check (balance between 0 and 1000000000000000)
) with (fillfactor = 50);

-- No foreign key to organizations: whoever appends holds the lock on the organization's balance,
-- which proves the organization, and a check for each row would halve the rate.
-- Milliseconds, as lists show them: a page's last row must compare equal to the row itself.
create table ledger_entries (
	organization_id uuid not null,
	created_at timestamptz(3) not null,
	id uuid not null,
	kind text not null check (kind in ('usage', 'release', 'grant', 'adjustment')),
	units bigint not null,
	balance_after bigint not null check (balance_after >= 0),
	channel text check (channel in ('sms', 'whatsapp')),
	message_id uuid,
	campaign_id uuid,
	grant_id uuid,
	note text,
	primary key (organization_id, created_at, id),
	constraint ledger_entries_message_unique unique (organization_id, message_id, kind),
	constraint ledger_entries_kind_shape check (
		case kind
			when 'usage' then units < 0 and message_id is not null and channel is not null and grant_id is null
			when 'release' then units > 0 and message_id is not null and channel is not null and grant_id is null
			when 'grant' then units > 0 and message_id is null and grant_id is not null
			when 'adjustment' then units < 0 and message_id is null and grant_id is not null
		end
	)
);

create unique index ledger_entries_grant_unique on ledger_entries (organization_id, grant_id)
where grant_id is not null;

create index ledger_entries_usage_window on ledger_entries (channel, created_at, id)
where kind = 'usage';

-- The last usage entry of each channel that is settled for good: its message exists, or the unit was given back.
create table reconciler_watermarks (
	channel text primary key check (channel in ('sms', 'whatsapp')),
	created_at timestamptz(3) not null,
	entry_id uuid not null
);

insert into reconciler_watermarks (channel, created_at, entry_id)
values ('sms', 'epoch', '00000000-0000-0000-0000-000000000000');
