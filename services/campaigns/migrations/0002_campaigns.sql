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
	-- Next moment at which a job looks at the campaign, and who holds it meanwhile.
	due_at timestamptz,
	lease_token uuid,
	lease_until timestamptz,
	audience bigint not null default 0,
	skipped bigint not null default 0,
	accepted bigint not null default 0,
	delivered bigint not null default 0,
	failed bigint not null default 0,
	constraint campaigns_status check (
		status in ('scheduled', 'sending', 'paused', 'completed', 'completed_with_errors', 'failed')
	),
	constraint campaigns_reason check ((status in ('paused', 'failed')) = (status_reason is not null)),
	constraint campaigns_final check (
		(status in ('completed', 'completed_with_errors', 'failed')) = (completed_at is not null)
	),
	constraint campaigns_counts check (
		skipped + accepted <= audience and delivered + failed <= accepted
	)
);

create index campaigns_newest on campaigns (organization_id, created_at desc, id desc);
create index campaigns_due on campaigns (due_at) where due_at is not null;
create index campaigns_paused on campaigns (organization_id) where status = 'paused';

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
