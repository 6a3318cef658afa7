CREATE TABLE `revisions` (
	`account_id` text NOT NULL,
	`resource_id` text NOT NULL,
	`revision` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`account_id`, `resource_id`, `revision`)
);
--> statement-breakpoint
ALTER TABLE `executions` ADD `revision` integer;