-- What is left of the recipients of a campaign that has ended: names and numbers, numbers alone, or only the counts.
alter table campaigns
	add column kept text not null default 'names'
	constraint campaigns_kept check (kept in ('names', 'numbers', 'counts'));

create index campaigns_kept on campaigns (kept, completed_at) where completed_at is not null and kept <> 'counts';
