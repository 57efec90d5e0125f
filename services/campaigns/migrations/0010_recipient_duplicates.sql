-- What was given again in the list of a campaign: it gets no message of its own, and is listed as skipped.
create table recipient_duplicates (
	campaign_id uuid not null,
	phone text not null,
	sequence bigint generated always as identity,
	primary key (campaign_id, phone, sequence)
);

-- As with recipients: a list of duplicates is read by its key, however large a share of the table it is.
alter table recipient_duplicates alter column campaign_id set statistics 0;
