-- A table that was counted while it held one row would make these columns look unique, and any index that begins with
-- one of them as good as the right one. Without statistics the planner takes the index that names most columns.
alter table conversations alter column phone_number_id set statistics 0;
alter table conversations alter column organization_id set statistics 0;
alter table dispatch alter column phone_number_id set statistics 0;
alter table messages alter column phone_number_id set statistics 0;
alter table messages alter column organization_id set statistics 0;
