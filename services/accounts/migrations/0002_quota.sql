-- A balance is updated by every batch: free space on its page keeps those updates off the index.
create table balances (
	organization_id uuid primary key references organizations (id),
	balance bigint not null default 0 constraint balances_in_range check (balance between 0 and 1000000000000000),
	-- The date of the organization's newest entry: the next one is dated later, however the clock is set.
	dated_at timestamptz(3) not null default 'epoch'
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
	-- Old usage is kept by day: how many entries a line stands for, null for a line of its own.
	rolled_up integer check (rolled_up > 0),
	primary key (organization_id, created_at, id),
	constraint ledger_entries_message_unique unique (organization_id, message_id, kind),
	constraint ledger_entries_kind_shape check (
		case kind
			when 'usage' then
				units < 0 and channel is not null and grant_id is null
				and (message_id is null) = (rolled_up is not null)
			when 'release' then
				units > 0 and channel is not null and grant_id is null
				and (message_id is null) = (rolled_up is not null)
			when 'grant' then units > 0 and message_id is null and grant_id is not null
			when 'adjustment' then units < 0 and message_id is null and grant_id is not null
		end
	)
);

create unique index ledger_entries_grant_unique on ledger_entries (organization_id, grant_id)
where grant_id is not null;

create index ledger_entries_usage_window on ledger_entries (channel, created_at, id)
where kind = 'usage';

-- What was added since a time without a look at the usage, which is a thousand times longer.
create index ledger_entries_grants on ledger_entries (organization_id, created_at) include (units)
where grant_id is not null;
