CREATE TABLE `kept_effects` (
	`account_id` text NOT NULL,
	`execution_id` text NOT NULL,
	`effect_id` text NOT NULL,
	`effect` text NOT NULL,
	PRIMARY KEY(`account_id`, `execution_id`, `effect_id`)
);
