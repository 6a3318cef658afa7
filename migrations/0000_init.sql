CREATE TABLE `accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_by_time` ON `accounts` (`created_at`,`account_id`);--> statement-breakpoint
CREATE TABLE `executions` (
	`account_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`status` text NOT NULL,
	`status_detail` text NOT NULL,
	`version` integer NOT NULL,
	`prompt_preview` text NOT NULL,
	`summary` text,
	`credits_consumed` integer NOT NULL,
	`origin` text NOT NULL,
	`workflow_id` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer,
	PRIMARY KEY(`account_id`, `execution_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `executions_by_workflow` ON `executions` (`account_id`,`workflow_id`,`execution_id`) WHERE workflow_id IS NOT NULL;