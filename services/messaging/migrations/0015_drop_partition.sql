-- Weeks that are past their retention are dropped with the owner's rights, as they are created. False when it is gone.
create function drop_partition(parent regclass, name text) returns boolean
language plpgsql
security definer
set search_path from current
as $$
begin
	if parent not in ('messages'::regclass, 'parts'::regclass) or name !~ '^(messages|parts)_[0-9]{8}$' then
		raise exception '% is no week of %', name, parent;
	end if;
	if not exists (select from pg_inherits where inhparent = parent and inhrelid = to_regclass(name)) then
		return false;
	end if;
	execute format('drop table %I', name);
	return true;
end
$$;
