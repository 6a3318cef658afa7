import { RESERVED } from "./lexicon.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Words that bind a sentence together or are courtesy: not reading them changes nothing. */
const BINDING = words(`
  i me my mine you your yours he him his she her it its we us our they them their who whom whose which what
  when where why how this that these those there here am is are was were be been being do does did doing done
  has have had having can could may might must shall should will would am need needs needed want wants wanted
  about across behind against along among around as at by for from in inside into like of off on onto out over per
  since through throughout to toward towards under until up upon via with within without and or but nor so yet if than then
  because while although though unless whether not no yes a an the
  please kindly thanks thank thx cheers hi hello hey dear regards sir madam yo ok okay well great cool nice
  love appreciate appreciated grateful sorry hope bit quick quickly simply really very quite rather pretty maybe perhaps
  possible possibly able help assist assistance require required requested request wonder wondering looking interested curious
  friend boss colleague teacher client manager told asked asks lot much many more most less least few several
  some any all each every both either neither other others another same such own respective respectively
  also too next finally afterwards now currently right exactly only just even still already again instead
  actually altogether together overall once later soon today give gives i'd i'm it's don't let us let's
  fact kind sort way order able sure find out going`);

/** Words of an order itself: what to do with a page and how to hand over what is there. */
const ORDERING = words(`
  get give show list find extract return tell collect fetch open go make take use using read load visit retrieve gather pull
  grab scrape parse provide present display output print produce generate create build compile compute calculate calculated
  determine identify enumerate figure see look looking check know say says report write answer respond reply browse
  navigate select keep pick choose filter sort sorted sorting order ordered arrange arranged rank ranked group grouped count
  counting add include including hand bring deliver send explain analyse analyze examine inspect view access call query curl
  combine combined merge merged join joined put set start starting begin convert turn transform export save download want
  go click follow following followed linked leads lead leading pointing point points go goes belongs
  compare comparing comparison versus vs against search scan request response step steps following given mean means
  each respective based according total totals sum sums overall average averages median minimum maximum per
  highest lowest high low top bottom first last descending ascending asc desc alphabetical alphabetically reverse
  unique distinct duplicates duplicate different separate separately individually`);

/** Words for pages, data and their parts in general. */
const THINGS = words(`
  page pages site sites website websites web url urls address addresses link links href hrefs data dataset datasets file files
  json csv html text api endpoint feed document documents content contents result results info information detail details
  table tables row rows column columns record records entry entries value values item items thing things stuff one ones
  field fields key keys object objects array arrays list lists listing listings name names title titles headline headlines
  number numbers amount amounts quantity figure figures heading headings header headers section sections price prices
  email emails mail mails phone phones telephone contact contacts paragraph paragraphs word words line lines sentence sentences
  bullet bullets point points summary description people person persons everything anything something everyone anyone someone
  everybody anybody somebody nothing none part parts place places level levels total question questions spreadsheet report
  output format form markdown side kind kinds type types currency dollars euros pounds`);

/** Nouns that people call rows by, whatever the table is of. */
const ROW_NOUNS = words(`
  product item goods article user customer client member employee worker staff colleague personnel ppl student pupil teacher
  player athlete team club company firm business employer organisation organization shop store seller vendor country nation city
  town place book author movie film song album game dish meal food drink recipe course lesson job position vacancy
  opening posting offer deal order invoice purchase sale transaction payment expense event match fixture meeting post story news
  blog comment review rating project task ticket issue version release device car house flat room hotel animal plant
  street station school university department office branch plan package service category tag topic option example talk session lecture speaker sponsor trainer hotel river
  one guy folk man woman child name label detail result subject post message tool thing stuff`);
/** Words about the way of working: said of the task, not of the rows. */
const MANNER = words(`
  input inputs payload incoming provided specified supplied passed event trigger workflow tool tools webhook run_code process_data http_request browse
  send_email write_spreadsheet emit_output ask_user structured code javascript raw crawl note rest source task care buy careful carefully properly correctly complete completely fully
  precise precisely exact automatically directly immediately separately occur occurs except excluding excluded ignoring besides
  apart otherwise remaining summarize summarise summarized mentioned appears appear text-only verbatim literally original
  below above shown visible found available relevant matching corresponding associated certain specific particular overall
  element elements placed place flow flows into thx ta current whole entire new assistant agent bot ai tabulate stop finish done end starting clean neat nicely formatted format sentence`);

const NOUNS = new Set(ROW_NOUNS);
const IDLE = new Set([...RESERVED, ...BINDING, ...ORDERING, ...THINGS, ...ROW_NOUNS, ...MANNER]);

/** Verbs and nouns that only tie a condition, which was read, to the rows: "positions that pay over 60000". */
const TYING = new Set(
  words(`
  pay pays paying paid cost costs costing priced price earn earns earning make makes made making teach teaches taught hire
  hires hiring offer offers offered publish published posted post posting list listed play plays played playing score scored
  won win wins winning use uses used take takes taken taking start starts begin begins belong belongs work works working live
  lives living located situated based contain contains containing include includes included mention mentioned mentions sell
  sells selling sold open opened opens close closed called named titled written wrote release released created updated added
  enrolled appear appears come comes came happen happens held found founded born advertised announced issued exist exists
  worth said got gets getting currently available long old big large small expensive cheap tall heavy far late early
  reach reached exceed exceeds rated reviewed located stored shown present provided registered attend attended serve serves
  need needs run runs last lasts drive produce produces produced fall falls do done did die died built build born
  spend spends spent spending away left remain remaining behind ahead since value worth`),
);

/** Whether a word is one that rows of any table may be called by. */
export function isRowNoun(word: string): boolean {
  return NOUNS.has(word);
}

/** Whether a word may stay unread without any harm; `operative` tells that conditions or figures were read. */
export function isIdle(word: string, operative: boolean): boolean {
  if (IDLE.has(word) || word.length < 2 || /^inputs?\.[\w.]+$/.test(word)) return true;
  return operative && TYING.has(word);
}
