-- outside of a transaction
-- The queues of a lane and route, one for each organization, for claims. `dispatch_due` is left for what looks through all
-- that waits for a route, and for the last release. Both columns are one here, so that no statement can be planned by the
-- wrong one of the two: the statistics of a queue that was short make one look as good as the other.
create index concurrently if not exists dispatch_lanes on dispatch ((lane::text || ' ' || route), organization_id, due_at);
