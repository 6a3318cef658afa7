/** Where an order may begin: only there is "book", "order" or "write" something to do. */
const ORDER = String.raw`(?:^|\b(?:and|then|please|you|also|to|let us|just|me|now|afterwards|finally) |, )`;
const A = String.raw`(?:(?:a|an|the|me a|me an|us a|some|me some|my|short|small|long|new|nice|funny|simple|\d+|few|original|creative|brief) ){0,4}`;

/** One of something that is yet to be made: "a persuasive blog post", never "the blog posts". */
const ONE_NEW = String.raw`(?:(?:me|us) )?(?:an?|some|one|another|\d+) (?:[a-z-]+ ){0,3}`;
/** What is said of files of a kind that cannot be made. */
const DOCUMENT =
  "(?:pdfs?|word (?:document|file|doc)s?|docx|powerpoints?|pptx|ppt|slide ?(?:show|deck)s?|slides|keynotes?|presentations?)";
/** A value that something on a site is to be given; not a way of writing it, which is cleaning. */
const NEW_VALUE =
  "(?!(?:(?:plain|real|proper|valid|the|an?|one) )*(?:iso|numbers?|numeric|dates?|floats?|decimals?|integers?|text|lower|upper|title|csv|json|excel|xlsx|dollars?|euros?|pounds?|usd|eur|gbp|yyyy)\\b)";

/** Orders to change what a site holds, with nothing asked of what is left. */
const CHANGED = [
  `${ORDER}(?:delete|erase|cancel|void) (?!(?:[a-z]+ ){0,3}(?:rows?|columns?|lines?|duplicates?|spaces?|cells?|entries|fields?|symbols?|signs?)\\b)[^,;]{1,60} (?:on|at|from|in) url\\d+_ ?$`,
  `${ORDER}(?:update|edit|modify|change|set|raise|lower|increase|reduce|correct|overwrite) (?!col)[^,;]{1,80} (?:on|at|in) url\\d+_ (?:to|as) ${NEW_VALUE}\\S`,
  `${ORDER}(?:update|edit|modify|change|set|overwrite) [^,;]{1,60} to ${NEW_VALUE}(?:str\\d+_|[$\\w.-]+) (?:on|at|in) url\\d+_ ?$`,
  `${ORDER}(?:mark|flag) [^,;]{1,60} as \\w+ (?:on|at|in) url\\d+_ ?$`,
].join("|");

/** What the planner has no way to do, each with the words that ask for it and a name for the answer. */
const BEYOND: [string, RegExp][] = [
  [
    "translate",
    new RegExp(`${ORDER}translate\\b|\\b(?:translation|translated) (?:of|into|to|in)\\b`),
  ],
  [
    "make or read pictures",
    new RegExp(
      `${ORDER}(?:draw|paint|sketch|generate|create|make|design|take|capture|describe|download|extract|get|find|list|show) ${A}(?:of )?(?:all )?(?:the )?(?:images?|pictures?|photos?|drawings?|paintings?|illustrations?|logos?|videos?|memes?)\\b|${ORDER}(?:draw|paint|sketch) `,
    ),
  ],
  [
    "write texts of its own",
    new RegExp(
      `${ORDER}(?:write|compose|create|make up|invent|draft|generate|tell(?: me)?|give me|come up with|rewrite|rephrase|paraphrase|brainstorm) ${A}(?:poems?|haikus?|limericks?|sonnets?|essays?|stor(?:y|ies)|songs?|jokes?|novels?|letters?|speech(?:es)?|blog posts?|slogans?|taglines?|lyrics|raps?|scripts?|cover letters?|press releases?|ad cop(?:y|ies)|tweets?|captions?|product descriptions?|programs?|functions?|(?:python|javascript|java|c|sql|bash|shell) \\w+|code|ideas?|recipes?|names? for)\\b|${ORDER}(?:write|compose|draft|craft|pen|author|invent|create|generate|produce|prepare|make|come up with) ${ONE_NEW}(?:poems?|essays?|stor(?:y|ies)|songs?|jokes?|speech(?:es)?|letters?|slogans?|(?:blog |social media |linkedin |instagram |facebook )?posts?|blogs?|articles?|(?:sales |elevator )?pitch(?:es)?|adverts?|ads?|advertisements?|commercials?|newsletters?|testimonials?|marketing (?:cop(?:y|ies)|texts?|campaigns?)|press releases?|product texts?|biograph(?:y|ies)|bios?|tweets?|captions?|flyers?|brochures?)\\b|${ORDER}(?:rewrite|rephrase|paraphrase|brainstorm|proofread)\\b|${ORDER}(?:write|compose|draft) ${A}(?:\\w+ ){0,2}email\\b`,
    ),
  ],
  [
    "shop, book, pay or sign in anywhere",
    new RegExp(
      `${ORDER}(?:buy|purchase|reserve|pay|subscribe|unsubscribe|register|sign up|sign in|sign (?:me|us) (?:up|in)|enrol+ (?:me|us)|register (?:me|us)|log ?in|log ?into|log me in|check ?out|add (?:it|this|\\w+) to (?:the |my )?(?:cart|basket)|book (?:me |a |an |the |us )|order (?:me |a |an |some |us |\\d+ (?!by)))`,
    ),
  ],
  [
    "fill in forms",
    new RegExp(
      `${ORDER}(?:fill (?:in|out)|complete|submit) (?:the |a |this |that )?(?:\\w+ ){0,2}forms?\\b`,
    ),
  ],
  [
    "type into fields or press keys",
    new RegExp(
      `${ORDER}(?:type|enter|key in) (?:str\\d+_|[^,;]{1,60}?) (?:in|into) (?:the |a |its )?(?:[\\w-]+ ){0,3}(?:field|box|input|bar|form)\\b|${ORDER}press (?:the )?(?:enter|return|tab|escape)\\b`,
    ),
  ],
  [
    "send messages or post to other services",
    new RegExp(
      `${ORDER}(?:send|post|tweet|share|publish|text|call|message|notify|ping|whatsapp|slack) [^;]{0,60}\\b(?:slack|twitter|facebook|linkedin|instagram|telegram|whatsapp|discord|sms|text message|my phone|my mom|my wife|my husband)\\b|${ORDER}(?:tweet|text|whatsapp) `,
    ),
  ],
  [
    "send messages",
    new RegExp(
      `${ORDER}(?:send|write|drop|mail) (?:(?:to )?(?:each|every|all|them|him|her|me|us)(?: \\w+){0,3} )?${A}(?:messages?|notes?|letters?|invitations?|notifications?|repl(?:y|ies)|texts?)\\b|${ORDER}(?:contact|notify|invite|message|call) (?:each|every|all|them|him|her|everyone)\\b`,
    ),
  ],
  [
    "change anything on a site",
    new RegExp(
      `${ORDER}(?:close|reopen|update|edit|assign|approve|reject|rename|archive|upload|cancel|move|merge|upvote|downvote|like|rate) (?:the |an? |this |that |my |all )?(?:\\w+ )?(?:issues?|tickets?|tasks?|accounts?|users?|comments?|posts?|articles?|records?|orders?|bookings?|files?|documents?)\\b(?!\\.)|${CHANGED}`,
    ),
  ],
  [
    "draw charts",
    new RegExp(
      `${ORDER}(?:draw|plot|make|create|generate|build|render|chart|graph|visuali[sz]e|show)\\b[^,;]{0,40} (?:charts?|graphs?|plots?|diagrams?|histograms?)\\b|${ORDER}(?:plot|visuali[sz]e)\\b|\\b(?:as|in) an? (?:bar |pie |line )?(?:chart|graph|plot|diagram|histogram)\\b`,
    ),
  ],
  [
    "colour or style an answer",
    new RegExp(
      `${ORDER}(?:highlight|colou?r|underline|embolden)\\b|\\b(?:in|as) (?:red|green|blue|yellow|bold|italics?|colou?r)\\b(?= ?$| ,)`,
    ),
  ],
  [
    "convert currencies",
    /\bconvert(?:ed|ing)?\b[^,;]{0,60}\b(?:in|to|into) (?:us |british |swiss )?(?:dollars?|euros?|pounds?|usd|eur|gbp|chf|yen|rupees?|francs?)\b|\bexchange rates?\b/,
  ],
  [
    "recommend or foretell anything",
    new RegExp(
      `${ORDER}(?:recommend|suggest|advise|predict|forecast|guess|estimate)\\b|\\b(?:who|what|which \\w+) will (?:win|be|happen|become)\\b|\\bwhich (?:\\w+ )?(?:would|should) (?:i|you|we)\\b`,
    ),
  ],
  [
    "know how a page was before",
    /\b(?:what|has|have|anything|something)\b[^,;]{0,60}\bchanged? (?:since|from|compared)\b|\b(?:than|since|compared to) (?:yesterday|last (?:week|month|time|year))\b/,
  ],
  [
    "set reminders or run on a schedule",
    new RegExp(
      `${ORDER}(?:remind|schedule|set (?:a |an )?(?:alarm|timer|reminder)|monitor|watch|keep checking|check (?:again|back)|wait (?:for )?\\d)\\b|\\bevery (?:day|hour|morning|week|month|minute|\\d+ minutes)\\b(?=.*\\b(?:check|run|tell|send|report)|$)`,
    ),
  ],
  [
    "write programs, or run any that the prompt does not bring",
    new RegExp(
      `${ORDER}(?:(?:run|execute|debug|deploy|install|refactor)\\b (?!through|over)|compile (?:this |the |my )?(?:code|program|project|source)\\b)|${ORDER}(?:write|code|program|implement|build) ${A}(?:app|website|script|bot|scraper|crawler|program|function|class|algorithm|api)\\b`,
    ),
  ],
  [
    "search the web",
    new RegExp(
      `${ORDER}(?:search|google|bing|look up|research)\\b(?:[^,;]{0,40} )?(?:on )?(?:the web|the internet|google|bing|online|wikipedia|the net)\\b|${ORDER}google `,
    ),
  ],
  [
    "write to other people's storage (databases, documents, cloud drives)",
    /\b(?:to|into|in|on) (?:a |an |the |my |our )?(?:google docs?|google drive|dropbox|airtable|notion|database|s3|salesforce|hubspot|crm|onedrive|sharepoint)\b/,
  ],
  [
    "make PDF or Word documents, or presentations",
    new RegExp(
      `${ORDER}(?:[^,;]{0,40} )?(?:as|to|into|in) (?:an? )?${DOCUMENT}\\b|\\ban? ${DOCUMENT}(?: (?:file|version|copy|report|document|presentation))? (?:of|with|from|about|for|on)\\b|${ORDER}(?:create|make|build|generate|produce|prepare|design|write|compile|export|save|print) (?:(?:me|us) )?(?:an?|the|some|\\d+) (?:[a-z-]+ ){0,3}${DOCUMENT}\\b`,
    ),
  ],
  [
    "work out shares and surcharges of a column (VAT, a discount)",
    new RegExp(
      `${ORDER}(?:add|append|include|insert|put in|calculate|compute) (?:[a-z]+ ){0,3}(?:\\d[\\d.]* ?% (?:of )?|(?:the )?(?:vat|sales tax|gst|tax|surcharge|markup|mark-up|tip)\\b)|${ORDER}(?:increase|decrease|raise|lower|reduce|cut|discount|mark up|mark down) (?:all |each |every |the |their |its )*[a-z]+ (?:[a-z]+ )?by \\d[\\d.]* ?%|\\b(?:plus|with|including|incl|minus|less) \\d[\\d.]* ?% (?:vat|tax|gst|discount|off|markup)\\b`,
    ),
  ],
  [
    "judge tone or opinion",
    /\bsentiment\b|\b(?:what do you think|your opinion|do you (?:like|believe|think|recommend)|would you (?:recommend|say|choose)|should i)\b|\b(?:is|are) (?:it|this|they) (?:trustworthy|a scam|biased|well written)\b/,
  ],
];

/** What the text asks for that the planner has no way to do, as words after "cannot"; null when nothing. */
export function beyondReach(text: string): string | null {
  return BEYOND.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** How a user gets past the planner's limits. */
export const SET_A_MODEL =
  'For that, choose a language model: set `model: "openai/<name>"`, "anthropic/<name>" or "workers-ai/<name>" on the ' +
  "trigger, or DEFAULT_MODEL on the service; they need OPENAI_API_KEY (or OPENAI_BASE_URL), ANTHROPIC_API_KEY, or " +
  "the Workers AI binding.";

/** The sentence that ends a run which needs more than rules. */
export function cannot(what: string): string {
  return `The built-in planner cannot ${what}: it opens pages, calls APIs, extracts, filters, cleans and computes data by rules, and writes it to files and e-mails. ${SET_A_MODEL}`;
}

/** Why an e-mail to whoever is found on a page is not sent. */
export const RECIPIENTS_ARE_WRITTEN =
  "No e-mail was sent: its recipients have to be written in the prompt itself; to addresses that are only found on a page nothing is ever sent.";

/** Why code in another language is not run. */
export function notRunHere(language: string): string {
  return `Only JavaScript can be run here, not ${language}: bring the code in JavaScript.`;
}
