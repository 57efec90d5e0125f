-- Partitions are created with the owner's rights, so that the service's role need not own its tables.
-- The caller holds the locks and moves the default partition's rows: see src/store/partitions.ts.
create function create_partition(parent regclass, name text, fill int) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
	if parent not in ('messages'::regclass, 'parts'::regclass) then
		raise exception '% has no partitions', parent;
	end if;
	execute format('create table %I (like %s including all) with (fillfactor = %s)', name, parent, fill);
end
$$;

create function attach_partition(parent regclass, name text, first uuid, last uuid) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
	execute format('alter table %s attach partition %I for values from (%L) to (%L)', parent, name, first, last);
end
$$;
