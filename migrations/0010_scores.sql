CREATE TABLE `scores` (
	`account_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`name` text NOT NULL,
	`by_id` text NOT NULL,
	`workflow_id` text,
	`revision` integer,
	`model` text NOT NULL,
	`value` real NOT NULL,
	`score` text NOT NULL,
	PRIMARY KEY(`account_id`, `execution_id`, `name`, `by_id`)
);
--> statement-breakpoint
CREATE INDEX `scores_by_workflow` ON `scores` (`account_id`,`workflow_id`) WHERE workflow_id IS NOT NULL;