CREATE TABLE `endpoints` (
	`endpoint_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`path` text,
	`former_path` text,
	`workflow_id` text,
	`version` integer NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `endpoints_by_path` ON `endpoints` (`path`) WHERE path IS NOT NULL;--> statement-breakpoint
CREATE INDEX `endpoints_by_former_path` ON `endpoints` (`former_path`) WHERE former_path IS NOT NULL;--> statement-breakpoint
CREATE INDEX `endpoints_by_time` ON `endpoints` (`account_id`,`created_at`,`endpoint_id`);--> statement-breakpoint
CREATE INDEX `endpoints_by_workflow` ON `endpoints` (`account_id`,`workflow_id`) WHERE workflow_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `workflows` (
	`account_id` text NOT NULL,
	`workflow_id` text NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `workflow_id`)
);
--> statement-breakpoint
CREATE INDEX `workflows_by_time` ON `workflows` (`account_id`,`created_at`,`workflow_id`);