-- outside of a transaction
-- The queues of a route: one for each lane and organization. Claims read it; `dispatch_due` is left for the last release
-- and for what looks through all that waits for a route.
create index concurrently if not exists dispatch_lanes on dispatch (route, lane, organization_id, due_at);
