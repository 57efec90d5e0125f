-- Statistics know nothing of a campaign that has just begun, and the planner takes it for a few rows. Without them it
-- guesses a share of the table, and reads the pending recipients by their own index.
alter table recipients alter column campaign_id set statistics 0;
