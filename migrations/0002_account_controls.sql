ALTER TABLE `accounts` ADD `inbound` text;--> statement-breakpoint
CREATE INDEX `endpoints_not_deleted` ON `endpoints` (`account_id`) WHERE deleted_at IS NULL;