-- No usage entry of a statement that begins from now on is dated before this, however the clock is set: what is older
-- is complete once the statements of before have ended.
alter table reconciler_watermarks add column closing_at timestamptz(3) not null default 'epoch';

-- The date of the organization's newest entry: the next one is dated later, however the clock is set.
alter table balances add column dated_at timestamptz(3) not null default 'epoch';

update balances
set dated_at = newest.created_at
from (
	select organization_id, max(created_at) as created_at
	from ledger_entries
	group by organization_id
) as newest
where newest.organization_id = balances.organization_id;
