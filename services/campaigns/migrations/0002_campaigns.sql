create table campaigns (
	id uuid primary key,
	organization_id uuid not null,
	name text not null check (char_length(name) between 1 and 200),
	message_template text not null,
	sender_id uuid not null,
	sender_name text not null,
	audience_tags text[] not null default '{}',
	audience_tag_match_mode text not null check (audience_tag_match_mode in ('all', 'any')),
	default_country text not null default '',
	status text not null,
	status_reason text,
	scheduled_at timestamptz(3),
	started_at timestamptz(3),
	completed_at timestamptz(3),
	created_at timestamptz(3) not null default now(),
	-- The snapshot is taken in steps: where the next one begins, and where the last one ends.
	snapshot_done boolean not null default false,
	snapshot_after bigint not null default 0,
	snapshot_until bigint,
	-- Next moment at which a job looks at the campaign, and the lease of who does.
	due_at timestamptz,
	lease_token uuid,
	lease_until timestamptz,
	audience bigint not null default 0,
	skipped bigint not null default 0,
	accepted bigint not null default 0,
	delivered bigint not null default 0,
	failed bigint not null default 0,
	-- The pause between two probes grows from `paused_since`, and the wait for last outcomes ends a time after `staged_at`.
	paused_since timestamptz,
	staged_at timestamptz,
	-- Of the skipped, those that were given twice.
	duplicates bigint not null default 0,
	-- It ran out of quota: what is granted from then on is shared with single sends.
	starved boolean not null default false,
	-- What is left of the recipients of a campaign that has ended: names and numbers, numbers alone, or only the counts.
	-- The text is kept as long as the names.
	kept text not null default 'names',
	constraint campaigns_status check (
		status in ('scheduled', 'sending', 'paused', 'completed', 'completed_with_errors', 'failed', 'cancelled')
	),
	constraint campaigns_reason check ((status in ('paused', 'failed')) = (status_reason is not null)),
	constraint campaigns_final check (
		(status in ('completed', 'completed_with_errors', 'failed', 'cancelled')) = (completed_at is not null)
	),
	constraint campaigns_counts check (
		skipped + accepted <= audience and delivered + failed <= accepted
	),
	constraint campaigns_duplicates check (duplicates <= skipped),
	constraint campaigns_kept check (kept in ('names', 'numbers', 'counts'))
);

create index campaigns_newest on campaigns (organization_id, created_at desc, id desc);
create index campaigns_due on campaigns (due_at) where due_at is not null;
create index campaigns_paused on campaigns (organization_id) where status = 'paused';
create index campaigns_open on campaigns (organization_id) where completed_at is null;
create index campaigns_starved on campaigns (organization_id) where starved;
create index campaigns_kept on campaigns (kept, completed_at) where completed_at is not null and kept <> 'counts';

-- Units that the campaigns of an organization may still use of what was granted since one of them ran out of quota.
create table quota_shares (
	organization_id uuid primary key,
	units bigint not null,
	constraint quota_shares_units check (units >= 0)
);

-- Batches that were sent to messaging and whose results are not stored yet. One that is left by a crash is sent again
-- under the same keys before anything else of its campaign is.
create table sent_batches (
	id uuid primary key,
	campaign_id uuid not null references campaigns (id) on delete cascade,
	-- The `sequence` of each of its recipients.
	sequences bigint[] not null,
	-- Units of the share that it has taken; null where campaigns may use all quota there is.
	share bigint check (share >= 0)
);

create index sent_batches_campaign on sent_batches (campaign_id);

-- Organizations that are closed for good: their campaigns end, also those that start later.
create table closed_organizations (
	organization_id uuid primary key,
	noted_at timestamptz not null default now()
);
