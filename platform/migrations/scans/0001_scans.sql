-- How far each scan has come, see platform/src/work/resumable-scan.ts.
create table scan_positions (
	name text primary key,
	-- Of the last row that was looked at, as the scan writes it; empty before the first.
	position text not null
) with (fillfactor = 50);
