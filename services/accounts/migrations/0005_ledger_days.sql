-- Old usage is kept by day: how many entries a line stands for, null for a line of its own.
alter table ledger_entries
	add column rolled_up integer check (rolled_up > 0),
	drop constraint ledger_entries_kind_shape,
	add constraint ledger_entries_kind_shape check (
		case kind
			when 'usage' then
				units < 0 and channel is not null and grant_id is null
				and (message_id is null) = (rolled_up is not null)
			when 'release' then
				units > 0 and channel is not null and grant_id is null
				and (message_id is null) = (rolled_up is not null)
			when 'grant' then units > 0 and message_id is null and grant_id is not null
			when 'adjustment' then units < 0 and message_id is null and grant_id is not null
		end
	) not valid;
