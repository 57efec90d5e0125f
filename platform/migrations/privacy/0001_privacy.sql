-- How long organizations keep texts, where that differs from the deployment's setting.
create table retention (
	organization_id uuid primary key,
	-- Null: as the deployment says. The row stays, for rows of the organization are scanned by themselves from then on.
	body_days integer constraint retention_body_days check (body_days between 0 and 3650),
	changed_at timestamptz not null default now()
);

-- What was erased, for whom and when; never the number itself.
create table erasures (
	id uuid primary key,
	masked_phone text not null default '',
	organization_id uuid,
	requested_by text not null,
	-- Per table: rows that were erased, and rows that kept their number because they were under way.
	erased jsonb not null default '{}',
	pending jsonb not null default '{}',
	started_at timestamptz not null default now(),
	finished_at timestamptz
);
