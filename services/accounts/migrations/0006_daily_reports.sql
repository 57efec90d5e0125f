-- The days of UTC whose report was published, for each organization once.
create table daily_reports (
	day date not null,
	organization_id uuid not null,
	primary key (day, organization_id)
);
