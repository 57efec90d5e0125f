-- Batches that were sent to messaging and whose results are not stored yet. One that is left by a crash is sent again
-- under the same keys before anything else of its campaign is.
create table sent_batches (
	id uuid primary key,
	campaign_id uuid not null references campaigns (id) on delete cascade,
	-- Places of its recipients in the snapshot.
	sequences bigint[] not null,
	-- Units of the share that it holds; null where campaigns may use all quota there is.
	share bigint check (share >= 0)
);

create index sent_batches_campaign on sent_batches (campaign_id);
