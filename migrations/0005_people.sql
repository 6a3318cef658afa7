CREATE TABLE `audit` (
	`account_id` text NOT NULL,
	`entry_id` text NOT NULL,
	`action` text NOT NULL,
	`resource_id` text NOT NULL,
	`by_kind` text NOT NULL,
	`by_id` text NOT NULL,
	`entry` text NOT NULL,
	PRIMARY KEY(`account_id`, `entry_id`)
);
--> statement-breakpoint
CREATE TABLE `memberships` (
	`email` text NOT NULL,
	`account_id` text NOT NULL,
	PRIMARY KEY(`email`, `account_id`)
);
--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_by_email` ON `sign_in_links` (`email`);