ALTER TABLE `executions` ADD `model` text;--> statement-breakpoint
ALTER TABLE `executions` ADD `cost_usd` real;