-- With ids in them these indexes served to find rows by id as well, in the planner's eyes: by skipping from one
-- due time to the next, which takes as many searches as there are due times. Equal times keep the order of arrival.
drop index dispatch_due;
create index dispatch_due on dispatch (route, organization_id, due_at);

drop index receipts_due;
create index receipts_due on receipts (due_at);
