-- Sums of an organization's ledger by day of UTC, of all entries that are not dated after its mark. A job adds the others.
create table ledger_sums (
	organization_id uuid not null,
	day date not null,
	kind text not null check (kind in ('usage', 'release', 'grant', 'adjustment')),
	channel text check (channel in ('sms', 'whatsapp')),
	campaign_id uuid,
	units bigint not null,
	entries bigint not null check (entries > 0),
	constraint ledger_sums_unique unique nulls not distinct (organization_id, day, kind, channel, campaign_id)
) with (fillfactor = 80);

create table ledger_marks (
	organization_id uuid primary key,
	-- All entries of one date are of one transaction: a mark never lies between two of them.
	summed_until timestamptz(3) not null
) with (fillfactor = 50);
