-- How many contacts an organization has: counting them at each new one would read them all.
create table contact_counts (
	organization_id uuid primary key,
	contacts integer not null check (contacts >= 0)
) with (fillfactor = 50);

insert into contact_counts (organization_id, contacts)
select organization_id, count(*)
from contacts
group by organization_id;

create index campaigns_open on campaigns (organization_id) where completed_at is null;
