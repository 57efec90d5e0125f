-- Where the trace of a message that is traced goes on; null costs a bit of the row.
alter table messages add column traceparent text;
