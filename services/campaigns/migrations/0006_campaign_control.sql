alter table campaigns
	-- Of the skipped, those that were given twice.
	add column duplicates bigint not null default 0,
	-- It ran out of quota: what is granted from then on is shared with single sends.
	add column starved boolean not null default false,
	drop constraint campaigns_status,
	drop constraint campaigns_final,
	add constraint campaigns_status check (
		status in ('scheduled', 'sending', 'paused', 'completed', 'completed_with_errors', 'failed', 'cancelled')
	),
	add constraint campaigns_final check (
		(status in ('completed', 'completed_with_errors', 'failed', 'cancelled')) = (completed_at is not null)
	),
	add constraint campaigns_duplicates check (duplicates <= skipped);

create index campaigns_starved on campaigns (organization_id) where starved;

-- Units that the campaigns of an organization may still use of what was granted since one of them ran out of quota.
create table quota_shares (
	organization_id uuid primary key,
	units bigint not null,
	constraint quota_shares_units check (units >= 0)
);

-- The few that were left out or not reached, for lists of them.
create index recipients_left_out on recipients (campaign_id, state, phone) where state in ('skipped', 'failed');
