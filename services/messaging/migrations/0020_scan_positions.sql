-- outside of a transaction
-- Scans go on where 0.1.0 has left them. Its processes still move `scans` and `body_scans` while they run, and go on from
-- there after a roll-back: a message that is looked at twice is ended, noted or blanked once.

insert into scan_positions (name, position)
select name, upto::text
from scans
where name not in (select name from scan_positions)
limit 1000
on conflict do nothing;

insert into scan_positions (name, position)
select name, after_id::text
from (
	select
		case organization_id
			when '00000000-0000-0000-0000-000000000000' then 'bodies'
			else 'bodies/' || organization_id
		end as name,
		after_id
	from body_scans
) as of_bodies
where name not in (select name from scan_positions)
limit 1000
on conflict do nothing;
