/**
 * The words of questions about data: `type argument | surfaces`, separated by commas. Surfaces match whole
 * words, or their singular. They are never matched approximately.
 */
export const WORDS = `
free | the, a, an, of, on, in, at, to, is, are, was, were, be, been, being, am, 's, do, does, did, 'd, 'll, 're, 've, 'm
free | please, kindly, pls, plz, thanks, thank you, hi, hello, hey, dear, me, my, you, your, i, we, us, our
free | could, can, would, should, may, might, like to, love to, want to, need to, have to, going to, let
free | with, for, from, as, this, that, which is, who is, there, here, so, also, too, just, then, now, finally, first of all, afterwards, after that
free | have, has, had, having, got, get, into, within, inside, such, according to, based on, by the way, actually
free | listed, shown, given, displayed, mentioned, contained, included, on it, on there, in there, in it, whole table, whole list, entire table, entire list, complete list, complete table, full list, full table, whole page, whole collection, available on the page, in question, about, structured, every single
free | some, any, all, all of, every, every one of, all the, both, information, info, data, details, amount of time, respective, corresponding, respectively, of them all, table, list, page, site, website, web page, document, figure, dataset, data set, api, endpoint, feed
free | json, csv, some json, any version, take into account, take into consideration, into account, in there, only look at, have a look, at all, altogether now
free | i'd, i'll, you'd, we'd, we're, i'm, if you can, if possible, there's, that's, it's, these are, go through, take a look at, have a look at, look at, name of the, i'm looking for, i am looking for, we're looking for, looking for, we are looking for, for us, could you, can you, for our, help me, for a report, by any chance, if you would, be so kind, for my, i have to know, i was wondering, do you know, would you, can you please
free | now and, of course, ok, okay, well, per se, out, up, answer, question, curious, wondering, know, tell, again, really, simply, quickly, briefly, correctly, carefully, hello there, good morning, good evening, and thanks, thx, cheers, best regards, ta, the following, come, comes, go, goes, went, themselves, itself, here on, over there, page in question, look it up, a lot, lot, u, i have the following task for you, i have a task for you, task, no rush, asap, urgently, quick question, one question, i only care about, that's all, nothing else, represented, happened, took place, were held, is enough, enough, ones only, only these, just these two columns, just these columns, nothing else please, that's it, if you please, exist, exists, existing, occur, occurs, appear, appears, happen to, there exist, array, long list of, yo, dear assistant, assistant, my boss wants, my boss needs, my boss asked for, my manager wants, you are requested to, advertised, can you help me out, help me out, can you help, i would love to know, love to know, i'd love to know, :), smile, still, so far, this time, in a nutshell, for the record
pronoun | it, its, he, she, his, her, they, them, those, these, their, theirs, the rest, the remaining ones, the remaining, of these, of those, of them, the result, the results, the rows left, that list, that table, the filtered rows, what is left, what remains, each of them
show | tabulate, convert, transform, turn, list, show, show me, give, give me, tell me, find, find me, get, get me, extract, return, display, print, name, provide, report, fetch, retrieve, identify, let me know, output, collect, pull, look up, work out, determine, figure out, check, grab, scrape, present, enumerate, take, read, read out, pick, pick out, pull out, select, i want, i need, i would like, i'd like, fetch me, say, see, hand me, send me, bring me, make, create, produce, build, generate, compile, prepare, put together, write down, want, need, dig out, hunt down, spell out, state, calculate, compute, draw up, look for, search for, deliver, note, jot down
which | which, which of, which one, which ones, which of the
what | what, what's, whats, what are, what is
who | who, who's, whom
whose | whose
where | where, where's
when | when, when's, what time, at what time, since when, from when, from what time, on what day, on which day, on what date, on which date, on which days, on which dates, on what dates
howmany | how many, how many of, number of, the number of, count of, the count of, total number of, amount of, quantity of, how many different
howmuch | how much, how much does, how much is, how much money, how much money does, how much of
count | count, count up, count how many, counts, tally
agg sum | sum, sum of, total of, sum up, add up, total, totals, total up, totalling, summed, grand total, overall sum, total amount of, total sum of, overall, combined, aggregate, add together, in sum
agg average | average, mean, averages, avg, on average, typical, average of, arithmetic mean, averaged
agg median | median, medians
agg min | minimum, min, minimal, lowest value of, minima
agg max | maximum, max, maximal, peak, maxima
sup up | highest, the most money, most, greatest, top, maximum, max, biggest, largest, the highest number of, the most, record, leading, largest number of, highest number of, greatest number of
sup down | bottom, lowest, the least money, least, fewest, smallest, minimum, min, the lowest number of, the least, lowest number of, smallest number of, fewest number of
cmp gt | more than, over, above, greater than, larger than, bigger than, higher than, exceeding, exceeds, exceed, beyond, upwards of, in excess of, >
cmp lt | less than, under, below, fewer than, lower than, smaller than, up to but not including, <
cmp gte | at least, no less than, not less than, no fewer than, not below, minimum of, a minimum of, min., starting at, starting from, >=, ≥, not under, not lower than
cmp lte | at most, no more than, not more than, up to, not above, not over, maximum of, a maximum of, max., <=, ≤, not exceeding, no higher than, not higher than
cmp eq | exactly, equal to, equals, equal, =, ==, precisely
cmp ne | not equal to, !=, <>, other than exactly
cmp date gt | after, later than, since after, following
cmp date lt | before, earlier than, prior to, until before
cmp date gte | since, from, as of, on or after, no earlier than, not before
cmp date lte | until, till, by the end of, on or before, no later than, not after, through
tail gte | or more, or above, or higher, or over, or greater, and above, and up, or up, or better, and over, or later, or newer, and more, upwards, or longer, or older, plus
tail lte | or less, or fewer, or below, or lower, or under, and below, or earlier, or cheaper, or younger, or shorter, and under, and less
between | between, ranging from, in the range of, in the range, from between, somewhere between
not | neither, not, isn't, aren't, don't, doesn't, didn't, wasn't, weren't, hasn't, haven't, non, no longer, never, is not, are not, cannot, can't
except | except, except for, excluding, without counting, other than, apart from, but not, all but, everything but, anything but, leaving out, ignoring, not counting, exclude, omit, leave out, besides
without | without, lacking, missing, no, with no, without any, without a, have no, has no, having no, lack, lacks, empty
or | or, either, nor
and | and, &, +, plus the, and also, as well as, along with, together with
but | but, however, yet
group | per, by, grouped by, group by, for each, for every, each, within each, in each, of each, broken down by, split by, by each, according to their, divided by group, per each, in every, from each, separately for each, from every, each different
sort desc | rank by, ranked by, rank, ranked, ranking by
sort | and then by, then by, and then on, and second by, and secondly by, sorted by, sort by, order by, ordered by, sorted, ordered, sort, order, sorted on, arranged by, arrange by, sort it by, sort them by, order them by, order it by, arrange them by, sort the rows by, sort rows by, in order of, arrange, arranged in, sorted in
dir asc | from small to big, from small to large, ascending, asc, in ascending order, ascending order, from low to high, low to high, from lowest to highest, lowest to highest, from smallest to largest, smallest to largest, smallest first, lowest first, lowest value first, increasing, in increasing order, fewest first, least first, from small to large, from least to most, from smallest to biggest, from low to high, upwards
dir desc | from big to small, from large to small, highest total first, largest total first, descending, desc, in descending order, descending order, from high to low, high to low, from highest to lowest, highest to lowest, from largest to smallest, largest to smallest, largest first, biggest first, highest first, highest value first, most first, decreasing, in decreasing order, from most to least, from biggest to smallest, reverse order, in reverse order, from large to small
alpha asc | alphabetically, in alphabetical order, alphabetical order, alphabetical, from a to z, a to z, a-z, a–z
alpha desc | reverse alphabetically, in reverse alphabetical order, from z to a, z to a, z-a, reverse alphabetical order
date asc | chronologically, in chronological order, chronological, by date ascending
first | first, the first, first one
last | last, the last, final
distinct | distinct, unique, different, without duplicates, with no duplicates, no duplicates, without repeats, deduplicated, each only once, only once, each once, duplicate-free, non-duplicate
percent | percentage of, what percentage of, what percent of, percent of, share of, what share of, proportion of, what proportion of, fraction of, what fraction of, percentage, what percentage, the percentage, what share, proportion
only | only, solely, exclusively, nothing but, only those, only the ones, only ones, only rows, just those, just the ones, keep only, only keep, keep, narrow down to, restrict to, limit to, filter, filter by, filter for, filter to, filtered by, filtered to, limited to, restricted to
drop | remove, drop, delete, discard, throw out, throw away, filter out, get rid of, strip out, take out, cut out, weed out, exclude, skip, leave off, ignore, hide
contains | containing, contain, contains, that contain, which contain, mentioning, mention, mentions, including, includes, include, that include, with the word, having the word, with the words, matching, that match, with the text, containing the word, contain the word, contains the word, containing the text
starts | starting with, start with, starts with, beginning with, begin with, begins with, that begins with, whose name starts with, starting in
ends | ending with, end with, ends with, ending in, end in, ends in
exists | check whether, check if, see whether, see if, tell me whether, tell me if, find out whether, find out if, is it true that, let me know whether, let me know if, is there, are there, is there any, are there any, is there a, are there some, do we have, do you have, does it have, do they have, does anyone, does anybody, do any, is any, are any, is one of, is at least one, any
every | are all, is every, is each, do all, does every, does each, are all of, have all, has every, did all, are they all
yesno | is, are, does, do, did, was, were, has, have
half | half
twice | twice, double, triple
together | together, combined, in total, altogether, all together, in all, in sum, all in all, taken together, overall, as a whole, put together
now | today, right now, currently, now, at the moment, these days, presently, at present
else | else, otherwise, instead
each | each
there | there
named | named, called, titled, by the name of, known as, labelled, labeled, entitled
that | that, where the
whether | whether, if
sort-of | team, department, region, section, district, division, branch, office, brand, genre, series, route, neighbourhood, neighborhood, area, club, band, group, wing, family, line
how | how
grouping | group
duplicate | duplicates, duplicate rows, duplicate, repeated rows, double rows, doubles, repeats, duplicate entries, dupes
colword | column, columns, field, fields
colnoun | load, percentage, number, numbers, name, names, value, values, level, amount, figure, figures, usage, code, codes, time, times, date, dates, fee, rate, size, address
than | than
more up | more, greater, higher, larger
more down | fewer, less, lower, smaller
row | row, entry, entries, item, record, line, result, one, ones, thing, element, object, everything, anything, something, listing, position, case, instance, datum, hit, match, option, example
`;

/**
 * Concepts of columns: `concept kind | words of headers and of prompts`. The kind is what its cells hold.
 */
export const CONCEPTS = `
price number | price, rent, cost, fee, fare, charge, rate per night, tariff, admission, entry fee, entrance fee, ticket price, unit price, list price, price tag
pay number | salary, wage, pay, income, earnings, compensation
amount number | amount, total, sum, value
rating number | rating, score, stars, star, review score, rated, grade
energy number | energy, output, kwh, consumption, use
power number | power, capacity
rainfall number | rain, rainfall, precipitation
weight number | weight, mass, kg, grams
height number | height, elevation, altitude, tall, summit
length number | length, distance, km
depth number | depth
width number | width, breadth
area number | area, surface, acreage, hectares
population number | population, inhabitant, people, resident
capacity number | capacity, seats, seating, places, spaces, spots, beds, room for
age number | age
duration number | duration, length, runtime, running time, minutes, hours, time, days, period
speed number | speed, velocity, pace
size number | size, area, population, capacity
quantity number | quantity, qty, pieces, units, items, copies
stock number | stock, left, units left, pieces left, items left, remaining, quantity, qty, in stock, inventory, units, units in stock, on hand
sold number | sold, sales, units sold, sale, copies sold
revenue number | revenue, turnover, takings, sales
points number | points, score, pts
goals number | goals
year year | year, founded, established, built, opened, published, released, founding year, release year, year built, publication year
date date | date, day, when, deadline, due date, due, published, released, updated, created, opened, posted, launched, joined, hired, start, starts, end date, start date, expiry, expires, departure, arrival, last updated, modified
time text | time, opening hours, hours
departs text | departs, departure, departure time, leaves, dep
arrives text | arrives, arrival, arrival time, arr
birth date | born, birth, birthday, date of birth, birth year, year of birth, birthdate
place text | location, place, city, town, country, region, address, venue, site, room, office, where, headquarters, based, origin, state, district, harbour, port, station, building, area
person text | name, person, employee, author, teacher, instructor, owner, manager, contact, player, trainer, director, artist, employee name, full name, assignee, keeper, guide, chef, host, coach, captain, lead, speaker, doctor, client, customer
name text | name, title, label
category text | category, type, kind, class, genre, section
status text | status, state, availability, stage
maker text | maker, manufacturer, brand, author, writer, producer, company, publisher, made by
email text | email, email, mail, email address, email address
phone text | phone, telephone, phone number, tel, telephone number
temperature number | temperature, degrees, temp
rank number | rank, position, place, standing
room text | room, hall
team text | team, club, squad
job text | job, role, position, title, occupation, profession
load number | load, occupancy, utilization, utilisation, usage
value number | value, worth, insured value, market value, estimated value, estimate, price
strength number | strength, gust, wind, power, speed, force, magnitude, intensity
material text | material, medium, made of, fabric, composition
destination text | destination, to, target
origin text | origin, from, source, departure, provenance, country of origin
url text | url, address, link, href, web address, location
species text | species, breed, kind, type, animal
language text | language, languages
reason text | reason, cause
delay number | delay, late, minutes late
distance number | distance, walk, walking distance, minutes
rent number | rent, monthly rent, rent per month, price
rooms number | rooms, bedrooms
calories number | calories, kcal, energy
`;

/**
 * Adjectives: `concept direction | base | comparative | superlative`. "+" means that more of it is a larger
 * value. A base form alone has no threshold: it only asks ("how tall is").
 */
export const ADJECTIVES = `
price + | expensive, costly, pricey, dear | more expensive, costlier, pricier, dearer, more costly | most expensive, costliest, priciest, dearest, most costly, highest priced, highest-priced, highest paid for
price - | cheap, inexpensive, affordable | cheaper, less expensive, less costly, more affordable | cheapest, least expensive, lowest priced, lowest-priced, most affordable, least costly, most inexpensive
rating + | good, well rated, highly rated | better rated, better, higher rated | best rated, best-rated, top rated, top-rated, highest rated, highest-rated, best reviewed, best
rating - | bad, poorly rated | worse rated, worse, lower rated | worst rated, worst-rated, lowest rated, lowest-rated, worst
weight + | heavy | heavier | heaviest
weight - | light | lighter | lightest
height + | tall, high | taller, higher | tallest, highest
height - | low | lower | lowest
length + | long | longer | longest
length - | short | shorter | shortest
duration + | long, time-consuming | longer, longer lasting | longest, longest lasting, longest-running
duration - | short, quick | shorter, quicker, faster | shortest, quickest
depth + | deep | deeper | deepest
depth - | shallow | shallower | shallowest
width + | wide, broad | wider, broader | widest, broadest
width - | narrow | narrower | narrowest
size + | large, big, huge | larger, bigger | largest, biggest
size - | small, tiny, little | smaller, tinier | smallest, tiniest
population + | populous, populated | more populous, more populated | most populous, most populated
population - | | less populous, less populated | least populous, least populated
load + | full, loaded, busy | fuller, busier | fullest, busiest, most loaded
capacity + | spacious, roomy | more spacious, roomier | most spacious, roomiest
age + | old | older | oldest, eldest
age - | young | younger | youngest
year - | old | older | oldest
year + | new, recent, modern | newer, more recent | newest, most recent, latest, most modern
year - | early | earlier | earliest
date - | old, early | older, earlier | oldest, earliest, soonest, longest ago
date + | new, recent, late, fresh | newer, more recent, later | newest, most recent, latest, most recently
time - | early | earlier | earliest
time + | late | later | latest
birth - | old | older | oldest
birth + | young | younger | youngest
speed + | fast, quick | faster, quicker | fastest, quickest
speed - | slow | slower | slowest
pay + | well paid, highly paid | better paid, higher paid | best paid, best-paid, highest paid, highest-paid, top earning, highest earning
pay - | badly paid, poorly paid | worse paid, lower paid | worst paid, lowest paid, lowest-paid
sold + | | better selling | best selling, best-selling, bestselling, top selling, top-selling, most sold
sold - | | worse selling | worst selling, worst-selling, least sold
value + | valuable, precious | more valuable | most valuable, most precious
value - | worthless | less valuable | least valuable
strength + | strong, powerful | stronger, more powerful | strongest, most powerful
strength - | weak | weaker | weakest
delay + | delayed, late | later, more delayed | most delayed, latest
distance + | far, distant | farther, further, farther away, further away | farthest, furthest, most distant, farthest away, furthest away
distance - | near, close | nearer, closer | nearest, closest
stock + | | | best stocked
population + | crowded | more crowded | most crowded
rent + | expensive | more expensive | most expensive, priciest, dearest
rent - | cheap, affordable | cheaper, less expensive, more affordable | cheapest, least expensive, most affordable
pay + | rich | richer | richest
calories + | calorific | more calorific | most calorific, fattest
points + | successful | more successful | most successful
temperature + | hot, warm | hotter, warmer | hottest, warmest
temperature - | cold, cool | colder, cooler | coldest, coolest
rank - | | | best placed, highest placed, highest ranked, highest-ranked, top ranked, top-ranked
`;

/** Light verbs: `concepts | surfaces`. A verb is explained only if a column of a concept takes part. */
export const VERBS = `
price | cost, costs, costing, priced, priced at, sell for, sells for, selling for, charge, charges, go for, goes for, pay for, sold for
pay,amount,revenue | earn, earns, earning, make, makes, paid, get paid, gets paid, is paid, earned
weight | weigh, weighs, weighing
rating | rated, scored, scoring, scores, score, reviewed
duration | last, lasts, lasting, take, takes, taking, run for, runs for
points,goals,rating | score, scored, scores, scoring
place,team,room | live, lives, living, located, based, situated, lie, lies, stand, stands, come from, comes from, live in, lives in, stay, stays, sit, sits, is held, are held, takes place, take place, held, hold, grow, grows, grown, found, headquartered, berthed, moored, stored, kept
birth | born
year,date | built, founded, established, opened, published, released, made in, started, launched, created, introduced, constructed, written, printed, completed, set up, date from, dates from, posted, issued, updated, signed, joined, hired, registered, due, scheduled, happen, happens, happening, ordered, delivered, shipped, placed
date,time,year | start, starts, starting, begin, begins, beginning, open, opens, opening, close, closes, closing, end, ends, ending, finish, finishes, expire, expires
departs,time,date | leave, leaves, leaving, depart, departs, departing, set off, take off, takes off
arrives,time,date | arrive, arrives, arriving, land, lands, landing, get in, gets in, get to, gets to, reach, reaches, come in, comes in
maker,person | written by, made by, produced by, published by, created by, manufactured by, taught by, run by, led by, owned by, directed by, painted by, by author, composed by, kept by, wrote, write, writes, makes, teach, teaches, taught, teaching, lead, leads, run, runs, own, owns, direct, directs, directed, guide, guides, coach, coaches, manage, manages, managed by, assigned to, handled by, responsible for, guided by, hosted by, given by, designed by
team,place | play for, plays for, playing for, play, plays, playing
job,place,category | work in, works in, working in, work as, works as, working as, work, works, working, employed, employed in
category,status | belong to, belongs to, belonging to, fall under, falls under, classified as, categorized as, categorised as, marked, marked as, tagged, flagged as, labelled as
capacity | seat, seats, seating, accommodate, accommodates
points,goals | won, win, wins
revenue | bring in, brings in, brought in, take in, took in
sold | sold
place | teach in
any | placed, required, needed, wanted, asked for, worked, allow, allows, allowing, accept, accepts, accepting, permit, permits, welcome, welcomes, support, supports, supporting, need, needs, require, requires, do, did, happened, left, be left, are left, is left, gave, received, got, used, uses, made, can be, going on, held, see, known, won by, sitting, taken, won, win, wins, have, has, had, having, offer, offers, offering, provide, provides, feature, features, featuring, give, gives, gave, yield, yields, come with, comes with, get, gets, got, hold, holds, contain, contains, carry, serve, serves, serving, include, includes, cover, covers, show, shows, done, recorded, measured, reported, listed as, collected, keep, keeps, use, uses, sell, sells, hiring, recruiting, sail, sails, run, runs, offered, planned, waiting, going, staying, coming, take part, takes part, attend, attends, visit, visits
link | belong to, belongs to, belonging to, work in, works in, working in, work at, works at, work for, works for, live in, lives in, live at, come from, comes from, coming from, stay in, work, works, working, go to, goes to, travel to, made by, sent by, run by, play for, plays for, part of, help with, helps with, responsible for, in charge of, done in, fly to, flies to, leave from, leaves from, leaving from, standing in, hanging in, kept in, located in, located on, located at, based in, situated in, sitting in, shown in, displayed in, on display in, stored in, held in, held at, living in, lying in, staying in, working in, working for, playing for, employed by, employed in, running in, running on, hosted in, hosted on, deployed in, written in, sung in, shot in, filmed in, set in, tagged with, tagged as, marked as, filed under, listed under, painted in, made in, built in, born in, grown in, caught in, seen in, seen by, done by, paid by, paid in, paid with, paid via, made by, made with, caused by, affected by, hit by, used by, used in, used for, ordered by, bought by, donated by, given by, sent by, sponsored by, played by, assigned to, due to, because of, handed in by, reported by, recorded by, recorded at, recorded in, measured at, measured in, measured by, brought in by, received from, bought from, sold in, sold by, sold at, based at, based in, run by, dealt with by, looked after by, cared for by, supplied by, delivered by, covered by, registered in, spoken in, part of, by, under
material | made of, made from, made out of, consist of, consists of, consisting of
destination,place | fly to, flies to, flying to, going to, goes to, go to, head to, heads to, heading to, bound for, headed for, travel to, travels to, travelling to, sail to, sails to, sailing to, run to, runs to, ship to, ships to, shipped to, delivered to, sent to, leaving for, departing to, departing for, leave for, leaves for
origin,place | fly from, flies from, coming from, comes from, come from, arriving from, arrive from, arrives from, originate from, originates from, imported from, sourced from, departing from, leaving from
place,category,team,status | help with, helps with, stand in, located,standing, hanging, hang, hangs, sitting, lying, sitting in, kept in, on display, displayed, exhibited, parked, running, hosted, deployed, assigned, allocated, filed, listed under, put, shown in
`;

/** States that a column may hold in several ways: `state polarity | surfaces | words of headers | words of cells`. */
export const STATES = `
in stock + | in stock, available, in-stock, on stock, stocked, on hand, for sale, to be had, i can buy, can be bought | stock, in stock, available, availability, quantity, qty, inventory, seats left, left, free seats, places left, tickets left, remaining, units left, seats free | in stock, available, yes, true
in stock - | out of stock, sold out, unavailable, out-of-stock, not available, no longer available | stock, in stock, available, availability, quantity, qty, inventory, seats left, left, free seats, places left, tickets left, remaining, units left, seats free | out of stock, sold out, unavailable, no, false
open + | open, still open, unresolved, not closed | open, status, state, closed, resolved | open, opened
open - | closed, shut, resolved | open, status, state, closed, resolved | closed, resolved, shut
paid + | paid, settled | paid, status, payment, state | paid, settled
paid ! | unpaid, not paid, outstanding, not settled | paid, status, payment, state | unpaid, outstanding, open, no, due
active + | active | active, status, state | active
active ! | inactive | active, status, state | inactive
done + | done, finished, completed | done, finished, completed, complete, status, state | done, finished, completed, complete
done ! | unfinished, not done, incomplete | done, finished, completed, complete, status, state | pending, unfinished, incomplete, open, in progress
free + | free, free of charge, costs nothing, cost nothing | price, cost, fee, admission, entry, entrance, free | free, 0, $0
`;

/** Units after a number: `concepts | surfaces`. The first word is the unit's name. */
export const UNITS = `
price,pay,revenue,amount | USD, dollar, dollars, bucks, us dollars
price,pay,revenue,amount | EUR, euro, euros
price,pay,revenue,amount | GBP, pound, pounds, quid
price,pay,revenue,amount | CHF, francs, swiss francs
price,pay,revenue,amount | cents
weight | kg, kilogram, kilograms, kilo, kilos, kgs
weight | g, gram, grams
weight | t, ton, tons, tonne, tonnes
length,height,depth,width,rainfall | mm, millimetre, millimetres, millimeters
length,height,depth,width | km, kilometre, kilometres, kilometer, kilometers
height,depth,length,width | m, metre, metres, meter, meters
height,depth,length,width | cm, centimetre, centimetres, centimeters
length | mi, mile, miles
length,height | ft, feet, foot
duration,time | min, minute, minutes, mins
duration | h, hour, hours, hrs
duration | s, seconds, second
duration | day, days
duration | week, weeks
duration | month, months
age,duration | year, years, years old, year old, yrs
energy | kWh, kilowatt hours
energy | GWh
energy | MWh
power | MW
power | kW
area | m², square meters, square metre, sq m
area | ha, hectare, hectares, acres, km2, square kilometres, square metres, sqm, m2
rating | star, stars
price,amount | %, per cent
temperature | degree, degrees, celsius, °c
speed | km/h, kph, mph, knots
points | pts
`;

/** Number words; semicolons separate entries too. */
export const NUMBERS = `
0 | zero; 1 | one, a single; 2 | two, a pair of, a couple of; 3 | three; 4 | four; 5 | five; 6 | six
7 | seven; 8 | eight; 9 | nine; 10 | ten; 11 | eleven; 12 | twelve, a dozen, dozen; 15 | fifteen
20 | twenty; 25 | twenty-five; 30 | thirty; 40 | forty; 50 | fifty; 60 | sixty; 70 | seventy
80 | eighty; 90 | ninety; 100 | hundred, a hundred, one hundred; 1000 | a thousand, one thousand
1000000 | a million, one million
`;

export const ORDINALS = `
1 | first; 2 | second; 3 | third; 4 | fourth; 5 | fifth; 6 | sixth; 7 | seventh; 8 | eighth; 9 | ninth
10 | tenth
`;

/** Nouns for rows: `headers or captions that fit | surfaces`. A noun whose class has no evidence explains nothing. */
export const NOUNS = `
person,pay,age,birth,job,email,phone,team,points,goals | person, people, ppl, employee, worker, staff, staff member, member, user, customer, client, colleague, individual, guest, participant, contact, everyone, everybody, anyone, anybody, someone, somebody, folk, team member, persons, applicant, candidate
price,stock,sold,rating,weight,maker,category,size,amount | product, item, goods, article, merchandise, thing, stuff, sku, product line, offer, offering, piece, option
place,population,area,height,length,capacity,phone,time,room | place, location, spot, site, venue, facility
capacity,place,price,distance | car park, parking lot, parking area, parking zone, parking space
price,rooms,area,place,amount,rent | flat, apartment, home, property, listing, rental, place, accommodation
date,time,duration,price,capacity,place | event, session, appointment, activity, booking, departure, screening, slot, reservation, reading, record, connection
amount,date,status,price | order, invoice, bill, transaction, payment, purchase, sale, issue, task, request, deal, shipment, delivery, expense, donation, gift, contribution, job
rating,year,maker,price,duration,category,amount | title, work, piece, recipe, book, film, movie
team,points,goals,rank | team, club, side
pay,place,job,category | job, position, vacancy, opening, posting, post, role, offer, job ad, job offer
age,weight,category,name | animal
capacity,size,status,place,duration | server, machine, host
`;
