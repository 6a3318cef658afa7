ALTER TABLE `executions` ADD `inputs_preview` text;--> statement-breakpoint
ALTER TABLE `executions` ADD `inbound` text;