/** The words by which prompts order e-mail; addresses stand as `mail0_`. */

const MAIL_NOUN = "(?:e-?mails?|mails?)";
/** Where an order may begin. */
const BEGIN = String.raw`(?:^|(?:[,;:]|[-=]>|→)\s*(?:and |then )*|\b(?:and|then|please|also|to|you|just|finally|afterwards|now|me|or|but|should|must|it|when done|actually|instead|rather|no|oh|sorry|wait|ok|okay|well|kindly|simply|so|next|again)\s+)`;
const TOKEN = String.raw`mail\d+_`;
const LIST = String.raw`[<("']*${TOKEN}[>)"']*(?:(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+(?:to\s+)?|\s+as well as\s+(?:to\s+)?|\s*&\s*|\s+)[<("']*${TOKEN}[>)"']*){0,19}`;
/** A few words between "to" and the address: "to my boss Jane Roe <…>". */
const WHOM = String.raw`(?:(?!(?:to|at|for|and|with)\b)[\p{L}][\p{L}.'-]*:?\s+){0,6}?`;
const BY_MAIL = String.raw`(?:\s*(?:\b(?:via|by|per|through|over|in|as|with|using)\s+(?:an?\s+|the\s+)?(?:single\s+)?${MAIL_NOUN}))`;
/** "Post it to Slack and …" and "drop the duplicates and …" order no e-mail: an address must follow. */
const SHORT_OF = String.raw`(?:drop(?=\s+(?:[\p{L}.'-]+\s+){0,4}?${TOKEN})|post(?=(?:(?!\b(?:to|and|on)\b)[^;,])*\bto\s+(?:[\p{L}.'-]+\s+){0,3}?${TOKEN}))`;
const SEND = `(?:e-?mail(?:ing)?|mail(?:ing)?|send(?:ing)?|forward(?:ing)?|deliver(?:ing)?|dispatch(?:ing)?|shoot|pass on|share|report|${SHORT_OF})`;
const MAIL_VERB = "(?:e-?mail|mail)";
const A_MAIL = String.raw`(?:(?:me|us|him|her|them)\s+)?(?:an?|one|the|some|another|this as an?)?\s*(?:short |brief |quick |single |nice |polite )?${MAIL_NOUN}(?:\s+messages?)?`;

/** "send the list to ann@…": what, then to whom. */
export const WHAT_TO_WHOM = new RegExp(
  String.raw`${BEGIN}${SEND}\s+(?!${TOKEN})((?:(?!${TOKEN})[^;])*?)${BY_MAIL}?\s*(?:\b(?:over |off |out |on )?to|\b2|\bat|\bfor|\bwith)\s+${WHOM}(?:at\s+)?(${LIST})${BY_MAIL}?`,
  "iu",
);
/** "e-mail ann@… the list", "write to ann@… with the list". */
export const WHOM_WHAT = new RegExp(
  String.raw`${BEGIN}(?:${SEND}|write(?:\s+to)?|notify|inform|tell|let|update)\s+${WHOM}(${LIST})${BY_MAIL}?(?:\s+(?:know|have))?${BY_MAIL}?\s*(?:(?:,|:)?\s*\b(?:with|about|of|on|containing|that has|that contains|which contains|listing|including)\b(?:\s+(?:it|in it))?)?\s*:?\s*([^;]*)$`,
  "iu",
);
/** "send an e-mail to ann@… with the list". */
export const A_MAIL_TO = new RegExp(
  String.raw`${BEGIN}(?:${SEND}|write|compose|draft|prepare)\s+${A_MAIL}\s+(?:\bto|\bat|\bfor)\s+${WHOM}(${LIST})\s*(?:(?:,|:)?\s*\b(?:with|about|of|on|containing|that has|that contains|which contains|that lists|listing|including|in which you list|telling (?:them|him|her))\b(?:\s+(?:it|in it))?)?\s*:?\s*([^;]*)$`,
  "iu",
);
/** "send an e-mail with the list to ann@…". */
export const A_MAIL_WITH = new RegExp(
  String.raw`${BEGIN}(?:${SEND}|write|compose|draft|prepare)\s+${A_MAIL}\s+(?:with|about|of|on|containing|that contains|listing|including)\s+((?:(?!${TOKEN})[^;])*?)\s*\b(?:to|at|for)\s+${WHOM}(${LIST})`,
  "iu",
);
/** "the results go to ann@… by e-mail". */
export const GOES_TO = new RegExp(
  String.raw`(?:^|[,;]\s*|\b(?:and|then)\s+)((?:the\s+)?(?:results?|list|table|summary|report|workbook|file|spreadsheet|it|them|everything|output|answer))\s+(?:(?:should|must|shall|has to|have to|is to|are to|can|please)\s+)?(?:(?:go|be sent|be e-?mailed|be mailed|be forwarded|get sent)\s+)?(?:off\s+|out\s+)?to\s+${WHOM}(${LIST})${BY_MAIL}?`,
  "iu",
);

/** "Summarise it in an e-mail to ann@…". */
export const IN_A_MAIL = new RegExp(
  String.raw`,?\s*\b(?:in|by|via|as|through)\s+(?:an?\s+|one\s+|the\s+)?(?:short |brief )?${MAIL_NOUN}\s+(?:to|for)\s+${WHOM}(${LIST})`,
  "iu",
);

const PERSONS =
  "(?:customers?|clients?|people|persons?|staff|members?|users?|owners?|authors?|sellers?|suppliers?|recipients?|contacts?|employees?|colleagues|teachers?|players?|addresse?s?|mails?|companies|shops?|participants?|subscribers?|candidates?|students?|speakers?|trainers?|managers?|one|row|entry)";
const FOUND = String.raw`(?:everyone|everybody|anyone|(?:each|every)(?:\s+(?:one|single))?(?:\s+of)?(?:\s+(?:them|these|those|the))?(?:\s+(?:e-?mail\s+)?${PERSONS}|\s+(?!and\b|with\b|on\b|from\b)\w+)?|all(?:\s+of)?(?:\s+(?:them|these|those|the))?(?:\s+(?:found|listed|extracted|e-?mail))*(?:\s+${PERSONS})?|them all|(?:those|these)\s+(?:e-?mail\s+)?${PERSONS}|the\s+(?:(?:first|second|last|found|listed|above|extracted|contact|cheapest|oldest|youngest|support|sales)\s+)*(?:e-?mail\s+)?${PERSONS})(?:\s+(?:found|on|from|of|listed|there|that|which|who|you find|in|at)\b(?:(?!\band\b)[^;,])*)?`;
/** "e-mail everyone on the list": recipients that no one wrote down. */
export const TO_FOUND = new RegExp(
  String.raw`${BEGIN}(?:${MAIL_VERB}\s+(?:(?:it|this|that|the \w+|a \w+)\s+to\s+)?(?!(?:addresses|address)\b)${FOUND}|(?:send|forward|write|deliver|dispatch)\s+(?:((?:(?!\b(?:to|and|request|requests|post|get|put)\b)[^;])*?)\s+to\s+)${FOUND}|(?:send|write)\s+${FOUND}\s+an?\s+${MAIL_NOUN})(?:\s+(?:an?|the)\s+${MAIL_NOUN})?`,
  "iu",
);
/** "e-mail me the list", "send it by e-mail": nobody says to which address. */
export const TO_NOBODY = new RegExp(
  String.raw`${BEGIN}(?:${MAIL_VERB}\s+(?:me|us|him|her)\b(?:\s+(?:with|about))?\s*((?!${TOKEN})[^;]*)|${MAIL_VERB}\s+((?:it|them|this|that|these|those|everything|the|a|an)\b(?:(?!\b(?:to|and)\b)[^;,])*)(?:\s+to\s+(?:me|us|him|her|them|(?:my|our|the)\s+\w+(?:\s+\w+)?))?|(?:send|forward|deliver)\s+((?:(?!\band\b)[^;,])*?)\s*\b(?:via|by|per|over|as)\s+(?:an?\s+)?${MAIL_NOUN}(?:\s+to\s+(?:me|us|him|her|(?:my|our|the)\s+\w+))?|send\s+(?:me|us|him|her)?\s*an?\s+${MAIL_NOUN}(?:\s+to\s+(?:me|us|him|her|(?:my|our|the)\s+\w+))?(?:\s+(?:with|about|containing|of)\s+((?:(?!${TOKEN})[^;])*))?|(?:send|forward)\s+((?:(?!\band\b)[^;,])*?)\s+to\s+(?:my|our)\s+(?:boss|inbox|team|colleagues?|manager|mailbox|mail))(?=\s|$|,)`,
  "iu",
);

/** "cc bob@…", "with bob@… in copy". */
export const COPY = new RegExp(
  String.raw`(?:,|\band\b|\bwith\b)?\s*(?:\ba\s+)?(?:\b(b)?cc(?:'?d)?|\b(?:carbon )?copy|\bcopying|\bcopies)(?:\s*:|\s+(?:to|for|in|is))?\s+${WHOM}(${LIST})|(?:\b(?:with|and|put|add|have|keep))\s+(${LIST})\s+(?:in|on|as)\s+(b)?(?:cc|copy)`,
  "iu",
);
export const REPLY_TO = new RegExp(
  String.raw`(?:,|\band\b|\bwith\b)?\s*(?:\b(?:the|a)\s+)?\breply[- ]?to(?:\s+address)?(?:\s+(?:set to|is|of|being))?\s*:?\s+(${TOKEN})`,
  "iu",
);
const SUBJECT_END = String.raw`(?=\s*(?:$|,|;|\s\band\s+(?:the|an?|attach|with|include|cc|copy|send|mail|text|body|say)|\s(?:to|for)\s+${TOKEN}|\s\bwith\b|\s\battach|\s\b(?:saying|stating|reading|telling|that\s+(?:says|reads))\b))`;
export const SUBJECT = new RegExp(
  String.raw`(?:,|\band\b|\bthen\b)?\s*(?:\b(?:with|using|under|use|having|give it|put|set|make|let)\b)?\s*(?:\b(?:the|an?|its|as)\s+)*(?:${MAIL_NOUN}\s+)?\bsubject(?:\s+line)?(?:\s+of the ${MAIL_NOUN})?(?:\s+(?:should be|should say|must be|to be|being|be|is|of|as|reading|saying|set to|to))?\s*[:=]?\s*(str\d+_|[^,;.]{1,200}?)${SUBJECT_END}|\b(?:titled|entitled)\s+(str\d+_)`,
  "iu",
);
const LITERAL = String.raw`(?:str\d+_|blk\d+_)`;
/**
 * What marks words as a text of the user's own, to be sent as it is: a colon, a quotation, "that".
 * Without one "the readings from …" would be a text.
 */
const MARK = String.raw`(?:\s+that\b\s*:?|\s*:|(?=\s*${LITERAL}))`;
/** "attach url0_ as …": what is attached is there to be read first. */
export const ATTACH_PAGE =
  /(?:,|\band\b|\bthen\b|\balso\b|\bplease\b|\s)*\b(?:attach|enclose)(?:ing)?\s+(?=(?:(?:the|an?|both|all|its)\s+)?(?:\w+\s+){0,4}?(?:(?:of|from|at|on)\s+)?url\d)/i;
/** "attach all readings", "add the whole price list as attachment". */
export const ATTACH_ROWS =
  /(?:,|\band\b|\bthen\b|\balso\b|\bplease\b|\s)*\b(?:(?:attach|enclose)(?:ing)?\s+(?:(?:all|the|its|their)\s+){1,2}(?:\w+\s+){0,2}?(?:list|table|readings|rows|data|entries|records|items)\b|(?:add|include)\s+(?:(?:all|the|its|their)\s+){1,2}(?:\w+\s+){1,3}?(?:as\s+(?:an\s+)?attachment|to\s+the\s+attachments?)|(?:attach|enclose)(?:ing)?\s+(?:that|those|these|this)\b(?!\s+(?:file|workbook|sheet)))(?:\s+as\s+(?:an\s+)?attachment)?/i;
const TEXT_NOUN = "(?:text|body|message|content|words?|line)";
export const BODY = new RegExp(
  String.raw`(?:,|\band\b)?\s*(?:\b(?:saying|that says|which says|reading|that reads|to say|and say|stating|telling (?:him|her|them))\b${MARK}|\bwith (?:the|this|following|the following)(?:\s+following)?\s+${TEXT_NOUN}\b(?:${MARK}|(?!\s+(?:of|from|on|at|in|that|which|about)\b)(?=[^;]+$)(?![^;]*\burl\d))|(?:^|[,;]\s*|\bthe\s+|\b)${TEXT_NOUN}(?:\s+of the ${MAIL_NOUN})?(?:\s+(?:should be|should say|is|being|be))?\s*:?(?=\s*${LITERAL})|(?:^|[,;]\s*)(?:the\s+)?(?:text|body|message)(?:\s+of the ${MAIL_NOUN})?(?:\s+(?:should be|is))?\s*:|\b(?:no need for (?:an?y? )?(?:other |further )?(?:text|words?|body)|(?:just|only|simply) (?:say|write)|nothing)(?:\s+(?:beyond|but|except|other than|besides))?(?=\s*${LITERAL})|\b(?:write|put)(?=\s*${LITERAL}\s+(?:in|into|as)\s+(?:it|the)\b))\s*(${LITERAL}|[^;]+$)(?:\s+(?:in|into|as)\s+(?:it\b|(?:the\s+)?(?:${MAIL_NOUN}|${TEXT_NOUN})))?`,
  "iu",
);
/** "saying hello": words of the user's own without any mark, where they name nothing to be found. */
export const SAYING = new RegExp(
  String.raw`(?:,|\band\b)?\s*\b(?:saying|that says|which says|to say|and (?:just )?say|(?:telling|to tell) (?:him|her|them)|stating)\s+(?!(?:whether|how|what|which|who|whose|if|when|where|why|it|them|its|their|all|everything|each|every)\b|the\s+(?:(?:total|average|full|first|last)\s+)?(?:number|total|sum|average|result|results|list|titles?|headings?|prices?|rows?|table|names?|summary|answer|count)\b)((?:(?!\burl\d|${TOKEN})[^;])+?)(?=\s+to\s+${WHOM}${LIST}\s*$|\s*$)`,
  "iu",
);
/** Begins what no longer belongs to a text of the user's own. */
export const AFTER_TEXT =
  /^(?:please\s+|and\s+|then\s+|also\s+)*(?:attach|enclose|add|include|subject|cc|copy|send|mail|e-?mail|save|use the subject)\b/i;
const FILE_NOUN = String.raw`(?:(?:excel|csv|xlsx|resulting|whole|finished|generated|cleaned)\s+)*(?:workbook|file|files|spreadsheet|sheet|excel|xlsx|csv|it|them|table|list|results?|data|report|document|everything)`;
export const ATTACH = new RegExp(
  String.raw`(?:,|\band\b|\bwith\b|\bthen\b)*\s*(?:\b(?:please|also|with)\s+)*(?:\battach(?:ing)?\s+(?:the|that|this|a|an|its|your)?\s*${FILE_NOUN}(?:\s+(?:to|in|with)\s+(?:it|the|that|this)\s*(?:${MAIL_NOUN}|message)?)?|\b(?:(?:the|that|this|a|an|its)\s+)?${FILE_NOUN}\s+(?:is |being )?(?:attached|as an? attachment|in the attachment|in attachment)(?:\s+to (?:it|the (?:${MAIL_NOUN}|message)))?|\b(?:plus|along with|together with|and)\s+(?:the|an?|that)\s+(?:excel |csv |whole )?(?:workbook|file|spreadsheet|attachment)(?=\s+(?:to|at)\s+${TOKEN}|\s*$|\s*,)|\b(?:as|including|incl\.?|plus)\s+(?:the |an? )?(?:(?:workbook|file|spreadsheet)\s+as\s+an?\s+)?attach?ments?)`,
  "iu",
);
/** "Attach it to an e-mail to ann@…". */
export const ATTACHED_TO = new RegExp(
  String.raw`\battach(?:ing)?\s+(?:[\w.]+\s+){0,4}?to\s+(?:(?:an?|one|the)\s+)?${MAIL_NOUN}\s+(?=to\b|for\b|${TOKEN})`,
  "iu",
);
/** A text that follows the address after a colon. */
export const COLON_TEXT = new RegExp(String.raw`(${LIST})${BY_MAIL}?\s*:\s*(?=\S)([^]*)$`, "iu");
/** "Do not e-mail anyone": what is not wanted is no order. */
export const NOT_WANTED =
  /(?:,|\band\b|\bbut\b)?\s*\b(?:please\s+)?(?:do not|don['’]?t|never|no need to|without)\s+(?:(?:send(?:ing)?|writ(?:e|ing))\b[^,;]*\be?-?mails?\b[^,;]*|e?-?mail(?:ing)?\b[^,;]*)/iu;
const NOT = String.raw`\b(?:do not|don['’]?t|never|without)\s+(?:actually\s+|yet\s+|really\s+)?`;
/** "but don't send it yet": what was ordered is written, and not sent. */
export const HOLD = new RegExp(
  String.raw`(?:,|\band\b|\bbut\b|[–-])?\s*(?:please\s+)?${NOT}send(?:ing)?\b(?:\s+(?:it|this|that|them|anything|the (?:${MAIL_NOUN}|message|draft)))?(?:\s+(?:yet|now|out|off|for now|already|at all|to any(?:one|body)))*(?:\s+(?:until|before|unless)\b[^;]*)?(?=\s*(?:$|[,;.!]|\band\b|\bbut\b))`,
  "iu",
);
/** "not to ann@…", "don't send it to ann@…": who is not to get it. */
export const NOT_TO = new RegExp(
  String.raw`,?\s*(?:\b(?:but|and)\s+)?(?:${NOT}send(?:ing)?\s+(?:it|this|that|them|anything)\s+to|\bnot\s+(?:also\s+)?(?:to)?|\bexcept\s+(?:for|to)?|\b(?:rather than|instead of)\s*(?:to)?)\s*(${LIST})`,
  "iu",
);
/** "Stop", "cancel that": nothing of what was ordered is sent. */
export const STOP =
  /^(?:please\s+|no,?\s+|oh,?\s+)*(?:stop|cancel|wait|hold on|abort|never ?mind)\b[\s,!]*(?:(?:it|that|this|everything|the (?:e-?mail|mail|message)|sending(?: (?:it|that|the e-?mail|the mail))?)\s*)?$/i;
/** What may call an order off or change it. */
export const MAY_CHANGE =
  /\b(?:instead|rather|wrong|correct(?:ion|ed)?|not|don['’]?t|never|cancel|changed?|no longer|other address|mistake)\b/i;
/** An order to write to an address, in words that no rule reads. */
export const UNREAD_ORDER = new RegExp(
  String.raw`${BEGIN}(?:send|e-?mail|mail|forward|notify|inform)\b[^@]*\S@\S`,
  "i",
);
/** Whether a sentence speaks of e-mail at all. */
export const SPEAKS = new RegExp(
  String.raw`${TOKEN}|\b(?:e-?mail|mail)\b|\bsubject\b|\b(?:attach|enclose)|\bno need for (?:any? )?(?:other |further )?(?:text|words|body)\b|\b(?:body|text|message)\b[^,;]{0,20}:`,
  "iu",
);
