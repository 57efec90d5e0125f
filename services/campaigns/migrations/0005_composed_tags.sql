-- outside of a transaction
-- Tags that were written in decomposed form become the same as those that look like them, as new ones are.
-- A database of another encoding than UTF8 cannot tell them apart, and keeps them.

with wanted as (
	select id, organization_id, created_at, array(
		select distinct normalize(tag) collate "C" as tag
		from unnest(tags) as tag
		order by tag
	) as composed
	from contacts
	where getdatabaseencoding() = 'UTF8'
	and exists (select from unnest(tags) as tag where tag is not normalized)
	limit 1000
	for update
),
removed as (
	delete from contact_tags
	using wanted
	where contact_id = wanted.id
	and tag <> all(composed)
),
added as (
	insert into contact_tags (organization_id, tag, created_at, contact_id)
	select organization_id, tag, created_at, id
	from wanted
	cross join unnest(composed) as tag
	on conflict do nothing
)
update contacts
set tags = composed
from wanted
where contacts.id = wanted.id;

update campaigns
set audience_tags = array(
	select distinct normalize(tag) collate "C" as tag
	from unnest(audience_tags) as tag
	order by tag
)
where id in (
	select id
	from campaigns
	where getdatabaseencoding() = 'UTF8'
	and exists (select from unnest(audience_tags) as tag where tag is not normalized)
	limit 1000
);
