-- Where the trace of an event that is traced goes on; null costs a bit of the row.
alter table events add column traceparent text;
