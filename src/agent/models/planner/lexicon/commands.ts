/**
 * Phrases of instructions about where to read and what to do with the answer: `type argument | patterns`,
 * separated by semicolons. In a pattern, `a/b` are alternatives, a trailing `?` marks an optional word, and
 * words in capitals are literals of that kind (URL, EMAIL, FILE, QUOTE, NUMBER, DATA; a final S takes a list).
 */
export const COMMANDS = `
readverb | open/visit/browse/load/access/read/fetch/scrape/use/check/see/get/consult/inspect/download/retrieve/take/crawl the? following? page/pages/site/url/urls/file/api/website? at? from? URLS; go/navigate/head/browse/surf over? to the? page/site/pages/url? at? URLS; look/peek at/on/in/into/up/inside the? page/site/pages? at? URLS; take/have a look at/on URLS; start/begin at/on/from/with the? page? URLS; call/query/request the? api/endpoint? at? URLS
read | using the? following? table/list/data/file/page/pages of/on/at/in/from? URLS; the? list/table/page/data/source/link/url/address/site/website/file/catalogue/gifts/stock is/are here/at/on? :? URLS; here is/are the? link/page/site/url/list/table/data URLS; here 's the? link/page/site/url/list/table/data URLS; source/sources/page/pages/url/link/site/data/website/see/look/here/check URLS
read | on/from/at/in/of/off/using/via/to/within/with/under/for/about/according/through/based/across/see/against/over to/on? the? web? page/pages/site/website/url/api/document/feed/endpoint/file? at/of/on/under/from/in? URLS; URLS
pages all | all the? pages; every page; each page; all of the pages; across all pages; across every page; over every page; on every page; through every page; across the pages; on all pages; over all pages; all NUMBER pages; please? check/visit/read/count/consider/use/include/cover/search every/each/all the? page/pages of? the? list?; go through all the? pages; follow/following the? next page/pages? link/links? until the end; follow/following the? pagination; every single page; from every page; from all pages; include/including all the? pages; through all the? pages; there are/is several/more/multiple pages?; whole/entire paginated list; of every page; it has several pages; the list has several pages; it/they spans/span several pages; both pages; and its next pages; including the next/following pages; page by page; on both pages
pages page | please? only? look/looking? at? only? on? page NUMBER only?; page NUMBER of the? list/table/results/readings/catalogue/site?
pages this | only that/the/this first page; only that page; only the page itself; just that page; on this page only; only this page; this page only; just this page; only the first page; just the first page; on the first page; first page only; the first page only; from the first page; of the first page
form table | as/in/into a? table; in table form; in tabular form; as a? table/tables with; in a table; in the form of a table; table please; as a nice table; formatted as a table
form json | as a? json array/list of names; as/in/to/into json; as a json array/object/list; in json format; return json; json please; as a json; formatted as json; json output; as valid json; in the form of json; as raw json; as json data; json only; as pure json; as a json array of objects
form csv | as/in/to/into csv; in csv format; as csv text; csv please
form markdown | as/in markdown; as a markdown table/list; in markdown format; as a table in markdown
form list | a bullet/bulleted/bullet-point/numbered/plain/simple list of; as/in a? bulleted/bullet/numbered/simple/plain/comma-separated list; as a list; as bullet points; one per line; comma separated; separated by commas; in a list; one on each line; as comma-separated text; line by line
form number | just the number; only the number; number only; just a number; as a number; just the figure; only a number; the number only; one number; just one number; a single number; reply with the number only; nothing but the number; just the value; number is enough
form text | as plain text; in a sentence; in one sentence; as text; in words; in plain english; as a sentence; in plain text; in a short sentence; briefly; in short
form yesno | yes or no; answer yes or no; just yes or no; answer with yes or no; reply yes or no; say yes or no; true or false
mail | send/write/compose/drop/shoot a/an/the? short/quick/brief? email/mail/message/note; send/write an email/mail message; email/mail/send/forward/deliver/notify/tell/inform/message/alert; send/do/write it/this/them/that? by/via/as/per email/mail; by email; via email/mail; in an email/mail; let EMAIL know; an email/mail
mailto | to EMAILS; at EMAILS; EMAILS
mailcc | with? a? cc/copy to EMAILS; and? cc/cc: :? EMAILS; in cc EMAILS; with EMAILS in cc; and put EMAILS in cc
subject | with/and/under/use/using? a/the/as? subject/title line? of/is/line/:? QUOTE; the? subject should/must? is/be/reads/being? :? QUOTE; as the subject use? QUOTE; with QUOTE as the? subject; subject : QUOTE; titled/headed/entitled QUOTE
mailvia | by/via/per email/mail; in/as an email/mail; an email/mail; a mail/message/note
intext | in the? text/body/mail/message/email; in the? text/body of the email/mail; in the? text/body say/tell/write
body | with/and? the? text/body/message/words/content? saying/that says/reading/: QUOTE; saying QUOTE; that says QUOTE; which says QUOTE; with/and the? text/body/message/words/note/content :? QUOTE; reading QUOTE; and say QUOTE; say QUOTE; and write QUOTE; the? text/body is QUOTE; text/body : QUOTE
attach | with/and the/a? workbook/file/spreadsheet/csv/sheet/table/excel/it file? attached; with/and FILE attached; and? attach/attaching/include it/them/FILE; and? attach/attaching the? workbook/file/spreadsheet/csv/sheet/excel file?; as an? attachment; as an attached file; with it attached; attached; with it as an? attachment; with FILE as an? attachment; with the file as an? attachment; with the workbook as an? attachment; with/and an? attached file/workbook FILE?
attachment | the? file? FILE
object | me a summary; me the list/table/result/results; it; them; this; that; the? result/results; the? answer/answers; a? summary; a short/brief summary; the summary; the file; the workbook; the spreadsheet; that list/table/figure/number/total; the? list; the table; the total; the rows; the figures; everything; all of it; these; those; that item; those items; that file; the findings; the outcome; that number; the number; these rows; the numbers; the whole table; the output; a summary of it; a summary of them; all of them; the data; the csv; this list; this table; all this; the names; the excel file; the csv file; the same table/list; the resulting table/list/file; the cleaned table/data/rows; both; both of them; both answers; both figures; both results; the filtered table/list/rows; the sorted table/list/rows
listing | listing; naming; with; containing; about; that lists; including; telling them; telling her; telling him; that tells them; that contains; which lists; that names; stating; with a list of; that says; saying; reporting; to say; to tell them; asking; mentioning; showing; which contains; that states; with only; of; holding; that has; for; giving; and tell them
file xlsx | as/in an? excel attachment; as/into/to/in a/an/the? new? excel/xlsx? file/workbook/spreadsheet/sheet named/called/titled QUOTE; as/into/to/in a/an/the? new? excel/xlsx file/workbook/spreadsheet/sheet? named/called/with? the? name/as? FILE?; as/into/to/in a/an/the? new? workbook/spreadsheet file? named/called/as? FILE?; a/an/the? excel/xlsx file/workbook/spreadsheet/sheet? named/called? FILE?; a/the? workbook/spreadsheet named/called? FILE?
file csv | as/in a? csv attachment; as/into/to/in a/an/the? new? csv file? named/called/with? the? name/as? FILE?; a/the csv file? named/called? FILE?; a? csv file named/called? FILE?
file json | as/into/to/in a/an/the? new? json file named/called? FILE?; a/the json file named/called? FILE?
file markdown | as/into/to/in a/an/the? new? markdown file named/called? FILE?; a/the markdown file named/called? FILE?
file text | as/into/to/in a/an/the? new? text/txt file named/called? FILE?; a/the text/txt file named/called? FILE?
file name | as/to/into/in/under/named/called QUOTE; as/to/into/in/under/named/called/file the? a? file? name? :? FILE; FILE; under the name FILE
save | save/export/store/write/download/put/dump/output/convert/turn/produce/create/make/generate/build/prepare/give/deliver/return/place/get/provide/compile/pack me?; i want/need
request POST | call/invoke; post/submit; make/do/send/perform/issue/fire a/an/the? http? post request?; send/submit/push/deliver/http post
request PUT | make/do/send/perform a/an/the? http? put request?; http? put
request PATCH | make/do/send/perform a/an/the? http? patch request?; http? patch
method PUT | using/via/with/by put
method PATCH | using/via/with/by patch
method POST | using/via/with/by post
request DELETE | make/do/send/perform a/an/the? http? delete request?
into | to :? URL; at URL; against URL; to the? webhook/endpoint/api/hook/address/url at? URL; against URL
bare | URL
requestbody | as/with? the? json? body? :? DATA; with/and? the? json/body/payload/data? body? :? DATA; DATA; with/and no/an/without empty? body; without a? body
requestform | a json array/body/object with/of?; as json; in json; as a json body/array/object; as the? json? body; as json body; in the? body; as its? body; in json format; as a json array of objects; as the? payload
condition some | when something/anything/somebody/anyone is/are?; if something/anything/somebody/anyone; if there is/are any?; if any/some; if any of; in case any; when any; whenever any; in case there are; in case there is; should any; if; in case; only if; provided that
condition none | if there is/are no; if no; if none of; unless there is/are any?; unless any; unless; if none
fact title | title/titles; page title/titles; title/titles of the? page/pages/site; page 's title
fact text | full/whole/entire/complete/plain text of the? page/pages; text of the? page/pages; page 's text; the? full/whole/entire text; text content; content/contents of the? page
fact summary | summarize/summarise the? page/site/article/content/contents?; summary of the? page/site/article?; short/brief summary of the? page/site/article?; sum up the? page/article; what is the? page/site/article about
fact description | meta description; description of the? page; page description
fact status | status code; http status code?; http response code; response code/status
clean | clean/cleanse/tidy up? the? data/table/tables/rows/list/records/cells/them/it/this? up? in/with/by? code?; clean up? everything; normalize/normalise the? data/table/rows/cells; with cleaned data; cleaned up
merge | merge/combine/join/unite/put the? two/three/four? tables/lists/pages/data/rows/them/all together/into? a/one? single? table/list?
comparing | compare/contrast/diff the? following? two? pages/lists/tables?; compare; make a comparison of; comparison of/between
compare common | in both the? lists/pages/tables/years/shops/stores/sites?; on both the? lists/pages/tables/sites?; at both the? shops/stores/sites/places?; that both the? pages/lists/shops/sites? have; both pages/lists/shops/sites have; appear/appears/occur/are/is listed? on/in both the? pages/lists/tables?; common to both; have in common; in common; on URL and also? on URL too; both on URL and on URL; on both URL and URL; in both URL and URL; shared by both pages/lists?
compare removed | of/on/in/at/from URL which/that/who? are/is/do/does? not appear/occur? listed? on/in/at/from/of URL; on/in/at URL but are/is? not on/in/at URL; on/in/at URL but missing on/in/from URL; only on/in/at the? first page/list/table/one?; only in/on the? former; on/in the first page/list/table/one? but not on/in the second page/list/table/one?; missing from/in/on the? second page/list/table/one?; no longer there; have/has disappeared; were/was removed; were/was dropped; have/has been removed; are/is gone
compare added | only on/in/at the? second page/list/table/one?; only in/on the? latter; on/in the second page/list/table/one? but not on/in the first page/list/table/one?; missing from/in/on the? first page/list/table/one?; are/is new; were/was added; have/has been added; newly added; new ones; new since then
compare changed | have/has changed; changed; differ/differs; are/is different; have/has different values; what changed; the changes; changes; the? differences/difference between/of/in?; differs/differ between; differ in; differences
intro | has/have several/more/multiple/two/three/many pages; here are my/our/the expenses/figures/numbers/values/results/scores/data :?; here is/are the/some/my/our/a? json/data/list/table/csv/records/figures/rows :?; given the? following? json/data/list/table/csv? :?; given :?; two/three/four things/jobs/questions/tasks about/for/on?; i have two/three questions/tasks; i need the following; both numbers please; both please; nothing else; that is all; thanks in advance
say plain | repeat after me :?; say/reply/answer/respond with/exactly just/only/simply? the? following/single? word/words/text/sentence/phrase :; say/reply/answer/respond exactly/just/only? with? exactly? this text/word/sentence/phrase? :; reply/answer/respond/say with? :; say; say just/only/simply; reply/answer/respond with; reply/answer/respond only/just/simply? with; repeat; echo; greet with; please say
say quoted | print; output; return; write; reply; say the words?; answer; respond
calculate | what is/are; what 's; calculate; compute; evaluate; how much is/are; work out; solve; what does; tell me what; the result of; what is the result of; calculate the result of; what 's the result of
numbers sum | sum/add up :?; sum/add/total up? these/the? following? numbers/values? up? :?; add up? these/the? following? numbers/values? :?; sum/total of these/the? following? numbers/values? :?; what is the sum/total of these/the? following? numbers/values? :?; calculate/compute the sum/total of these/the? following? numbers/values? :?; the sum of
numbers average | average/mean of these/the? following? numbers/values? :?; what is the average/mean of these/the? following? numbers/values? :?; calculate/compute the average/mean of these/the? following? numbers/values? :?; average these/the? following? numbers/values? :?
numbers max | what is the largest/highest/biggest/greatest of/among these/the? following? numbers/values? :?
numbers min | what is the smallest/lowest/least of/among these/the? following? numbers/values? :?
numbers median | median of these/the? following? numbers/values? :?; what is the median of these/the? following? numbers/values? :?; calculate/compute the median of these/the? following? numbers/values? :?
search | search the? web/internet/net for; search online/google for; do/run/make a web search for/on; google; search the? web/internet
code | run/execute/evaluate/eval this/the/my? following? javascript/js? code/snippet/script/program/function? :; execute/run/evaluate :; run/execute this/the/my following? javascript/js? code/snippet/script/program/function :?; run/execute javascript/js :?
stop | stop; stop it; please stop; stop now; cancel; cancel it; cancel that; abort; never mind; nevermind; forget it; forget about it; halt; don't do it; do not do it; stop the whole thing
`;

/** Verbs that begin a new clause after a comma or "and": `type | words`. */
export const CLAUSE_VERBS = `
step | sort, keep, filter, remove, drop, dedupe, deduplicate, group, order, rank, limit, exclude, merge, combine, join, clean, arrange, discard, no duplicates, without duplicates, trim, leave out, narrow, ignore, skip, omit, strip, normalize, normalise, sanitize, sanitise, tidy, restrict
query | list, show, give, tell, find, get, extract, return, display, name, provide, report, count, sum, add, calculate, compute, average, determine, work out, identify, let me know, total, figure out, pick, select, check, look up, collect, say, print, output, compare, summarize, summarise, describe, what, how, who, where, when, is, are, do, does
query after and | which, whose
effect | mail, email, email, send, notify, forward, save, export, write, store, put, post, patch, submit, append, create, make, attach, download, delete, upload, tell, inform, book, buy, order, reserve, subscribe, call, phone, pay, publish, tweet, cancel, sign, register, message, alert, text, share, reply, invite, schedule, transfer, update, edit, refund, approve, reject, hire, fire, restart, deploy, block, ban, reopen, rename, vote, charge, install, uninstall, archive, release, move, copy, mark, change, set, log, apply, unsubscribe, donate
read | open, go, visit, browse, load, read, fetch, follow, click, look, take, scrape, navigate, access
`;
