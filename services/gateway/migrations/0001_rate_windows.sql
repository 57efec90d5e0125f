create table rate_windows (
	owner_id uuid not null,
	window_start_s int8 not null,
	allowed int4 not null,
	leased int4 not null check (leased >= 0),
	last_grant int4 not null check (last_grant >= 0),
	primary key (owner_id, window_start_s)
) with (fillfactor = 50);

create index rate_windows_window_start_s on rate_windows (window_start_s);

comment on table rate_windows is 'Units of a 60-second window that gateways have leased, by API key or organization.';
comment on column rate_windows.last_grant is 'What the latest lease got: lets one statement grant and tell.';
