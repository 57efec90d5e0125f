-- When an organization's bulk messages do not go, by the clock where the recipient may be.
create table quiet_hours (
	organization_id uuid primary key,
	-- Local minutes of the day; across midnight where the end comes first.
	starts_at smallint not null,
	ends_at smallint not null,
	constraint quiet_hours_minutes check (
		starts_at between 0 and 1439
		and ends_at between 0 and 1439
	),
	-- At least an hour of each day stays open.
	constraint quiet_hours_open check ((starts_at - ends_at + 1440) % 1440 >= 60)
);
