"""Every bound, named once, with its reason. Lengths of text count Unicode code points unless a name says bytes."""

# The answer contract (spec 03).
MOST_CANDIDATES = 20  # far above the six a good answer holds; a wall against floods
MOST_COMMITMENTS = 50  # the same
CLAIM_CHARACTERS = 300  # one sentence
GIST_CHARACTERS = 1_500  # a paragraph; more is a document
STATEMENT_CHARACTERS = 300  # one sentence
QUOTE_CHARACTERS = 600  # so that a quote cannot smuggle in a transcript
FEWEST_QUOTES = 2  # a pattern has two lines behind it by definition
MOST_QUOTES = 8  # more is a dump, not evidence
MOST_ENTITIES = 20  # an inventory is not what a claim is about
MOST_ANSWER_BYTES = 8 * 1024 * 1024  # the largest lawful answer, every character escaped, has 5.3 MB
MOST_FAULTS = 50  # faults of form listed for one answer; the rest is counted
SPOTS_A_STRING = 32  # spots of a quote looked at in one string; eight quotes need eight, room to spare
PLACES_OF_ONE = 2 * MOST_QUOTES  # of one observation; more than all other quotes of a candidate can take away
PLACES_OF_A_SORT = 8 * MOST_QUOTES  # of one speaker, kind and newness; the same, over several observations
SURROUNDINGS_CHARACTERS = 80  # beside a quote: enough to tell a copy from the same words elsewhere
SECRET_REACH_CHARACTERS = 4_096  # around a quote that are searched for a secret: a private key block fits
ASSIGNMENT_STEPS = 5_000  # 8 quotes with distinct places take 8; only crafted repetition takes thousands
SIEVE_RUNS = 4  # runs of a quote a line must hold; more make each line dearer and hardly fewer lines pass
RECALL_SHARE = 0.9  # of a claim's words on one line of a recalled memory: then the claim repeats it
DECODED_CHARACTERS = 2_048  # of a claim that are decoded to see what they order; a claim has 300
SAID_SHARE = 0.2  # of a claim's words in its spoken quotes; below it the review says to look closer
WISH_SHARE = 0.3  # of a wish's words in the user's own quotes: one of three says it, one of four may be chance
RECALL_WORDS = 4  # a shorter claim is too little to recognise
RECALLED_CHARACTERS = 256 * 1024  # of one recalled text that are compared; an injection is a few kilobytes
TRIVIAL_WORDS = 3  # a quote with fewer words ...
TRIVIAL_CHARACTERS = 16  # ... and fewer characters proves nothing
MOST_SUBMISSIONS = 4  # tries a turn before the batch counts as failed
COMMITMENT_FLOOR = 0.7  # below it a commitment is dropped and counted
MOST_TASKS_A_NIGHT = 10  # what a person can triage over breakfast; the rest is counted and returns
TRANSCRIPT_SPAN_CHARACTERS = 120  # a verbatim run this long in a memory is a copied transcript (spec 02)

# The bounded tools (spec 01).
SEARCH_HITS = 20  # a screenful
MOST_SEARCH_HITS = 50  # the total is exact anyhow; whoever wants more asks for a rarer phrase
SEARCH_CONTEXT = 120  # a sentence before and behind
MOST_SEARCH_CONTEXT = 400  # a paragraph; more is what `lines` is for
PHRASE_CHARACTERS = 1_000  # of a phrase that is searched for; longer ones are quotes, and proof finds those
MOST_LINES = 100  # about what is read in one go
MOST_READ_BYTES = 32 * 1024  # about 8,000 tokens, so that no single call floods a reader
LINE_WIDTH = 400  # a few rows of a terminal
MOST_LINE_WIDTH = 2_000  # a long paragraph; the rest is reached by column

# Reading (spec 01).
MOST_LINE_BYTES = 64 * 1024 * 1024  # a longer line is counted as lost, not parsed
MAP_WINDOW_BYTES = 64 * 1024 * 1024  # windows of this size keep a scan of 1 GB near 73 MB of memory
JSON_DEPTH = 64  # no agent nests deeper; past it a line is refused before any recursive walk
READ_BLOCK_BYTES = 1024 * 1024  # large enough that reading costs nothing beside parsing, small beside the 300 MB
SEARCH_BLOCK_BYTES = 256 * 1024  # stays in a processor's second cache, where finding is fastest
MARK_BYTES = 64 * 1024  # a line is found by reading at most this much beside it, for 16 bytes of index
HEAD_BYTES = 4 * 1024  # that tell one file's version from another, at its start and before the place last read
MOST_FOLDER_DEPTH = 32  # below a root; no agent nests deeper than five
MOST_FILES = 1_000_000  # below one root; a wall against a root set to the whole disk
MOST_LISTED_LOSSES = 1_000  # with file and offset; all are counted
TITLE_CHARACTERS = 80  # one line to recognise a session by
RECOVERY_ATTEMPTS = 1_000  # places on a damaged line that may prove to begin no record; real lines hold tens
RECOVERY_OBJECTS = 20_000  # whole objects on a damaged line that are looked at; a third of a second's work
RECOVERY_PASSES = 8  # times a damaged line's length that failed attempts may look at; a cut record nests about six
ENTRY_TEXT_CHARACTERS = 64 * 1024  # what mining sees of one text; proof reads the whole line again
TAINT_RUN_CHARACTERS = 40  # agent text that repeats this much of a fetched page is tainted too
SMALL_SESSION_BYTES = 8 * 1024  # below it only the mined engine looks
SETTLED_SECONDS = 3_600  # a session written to within the hour may still be going on

# The corpus (spec 02).
SLUG_CHARACTERS = 80  # a path that fits every file system, with room for folders
COMPONENT_BYTES = 200  # one name of a path; file systems end at 255, and a temporary suffix needs room
PATH_BYTES = 512  # a whole path, so that it still fits when the archive's folders stand before it
RUN_CLAIM_BYTES = 1_024  # of a memory promoted from runs, which quotes its recipe
RUN_BODY_BYTES = 16 * 1024  # the same
MOST_MEMORY_BYTES = 256 * 1024  # the whole file; a larger one is no memory
FRONT_MATTER_CHARACTERS = 128 * 1024  # room for 3,000 session ids, a wall before the YAML reader
ENTITY_CHARACTERS = 200  # a path or a symbol fits, a paragraph does not
SUBJECT_CHARACTERS = 72  # of a commit's subject that the claim may take
GIT_SECONDS = 600.0  # no call of ours comes near; a git that hangs on a dead network disk ends
GIT_ERROR_CHARACTERS = 400  # of git's own words in an error
GIT_LOCK_SECONDS = 5.0  # how long a git of ours that lost its parent may need to end
MOST_PACKS = 50  # where git itself would begin to collect
SCARCE_BYTES = 1024 * 1024  # with less room a program that fails and does not say why has failed for want of it
LOCK_SECONDS = 30.0  # how long a command waits for another writer before it says who holds the lock

# The night (spec 04).
NEW_SESSIONS_A_BATCH = 10  # enough for a pattern, few enough for one reader
MOST_BATCH_BYTES = 32 * 1024 * 1024  # new bytes read into memory at once, which take about five times as much there
CONTEXT_SESSIONS_A_BATCH = 10  # as many as are new: history for the counting lenses, at twice the reading
CANDIDATES_A_BATCH = 5  # the fourth or fifth is where the good ones end (study/mining-notes)
CANDIDATES_A_SESSION = 3  # one talkative session must not fill an answer
ASSUMED_BYTES_A_SECOND = 1_000_000  # the slowest real sessions measured, until a night has measured its own rate
RATE_SAMPLE_BYTES = 1_000_000  # less says nothing about the rate: start-up would be taken for reading
FIRST_NIGHT_SECONDS = 40.0  # a first night shows something within a minute, installation aside
MOST_RETIRED_SHARE = 0.2  # law 16: a night that would retire more stops and asks

# Models (spec 03).
MODEL_CALLS_A_DAY = 400  # of one consumer; a batch of ten sessions takes some thirty
MODEL_TOKENS_A_DAY = 8_000_000  # of one consumer: some twenty batches
MODEL_MONEY_A_DAY = 2.0  # US dollars: what a person may find the next morning without being angry
MODEL_SECONDS_A_DAY = 7_200.0  # of one consumer, waiting for answers: a night is over by breakfast
WAKE_CALLS_A_DAY = 200  # the waking loop's own (seed 001)
MODEL_CALL_SECONDS = 180.0  # for one answer: a slow model with a long prompt takes a minute or two
MODEL_OUTPUT_TOKENS = 8_192  # of one answer: six candidates with eight quotes each fit twice
MOST_TURN_REQUESTS = 60  # to a model in one turn: ten sessions, four looks each, and the answer
MOST_TURN_CALLS = 200  # of tools in one turn, since one request may ask for several
MOST_TURN_TOKENS = 2_000_000  # in one turn: a loop that grows is cut before it is dear
MOST_SAME_CALLS = 3  # the very same call again says nothing new; past it the turn ends
MOST_IDLE_REQUESTS = 3  # answers without any tool call before the turn ends
MOST_PROVIDER_TRIES = 4  # of one request while the provider is busy or away
MOST_WAIT_SECONDS = 60.0  # between two tries, whatever the provider asks for
FIRST_WAIT_SECONDS = 2.0  # before the second try, then twice as long: most overloads pass within half a minute
MOST_PROVIDER_BYTES = 16 * 1024 * 1024  # of one answer on the wire: 8,192 tokens, each an event of 2 KB
MOST_PROVIDER_CALLS = 64  # of tools in one answer; twenty sessions looked at thrice at once
TOKENS_A_REQUEST_HIDDEN = 1_024  # that a provider adds for tools: the dearest known adds some 700
TOKENS_A_MESSAGE_HIDDEN = 64  # for who speaks and which call is answered, beside the text
SAID_CHARACTERS = 2_000  # of one answer's prose in what is kept of a turn
KEY_BYTES = 16 * 1024  # the longest keys are signed tokens of a few kilobytes
LEADS_A_SESSION = 6  # some 70 bytes each: with them a row of list_sessions has at most 700
LINES_A_LEAD = 4  # where to begin; a lens that points everywhere points nowhere
MOST_ARGUMENT_BYTES = 64 * 1024  # of a reading tool's arguments; a phrase has at most 1,000 characters
MOST_MESSAGE_BYTES = MOST_ANSWER_BYTES + 64 * 1024  # of one line an agent sends; an answer fits
CLIENT_CHARACTERS = 120  # of the name and version an agent gives itself
AGENT_SECONDS = 1_800.0  # one batch by the person's own agent, start to end
AGENT_TURNS = 80  # of that agent in one batch
AGENT_PROBE_SECONDS = 120.0  # for the trial before it: a slow machine starts three programs, and asks two questions
MOST_PROBE_BYTES = 16 * 1024 * 1024  # of one request in that trial: a prompt with every tool described is far less
AGENT_WORDS_CHARACTERS = 200  # of what an agent said last, in a report
SCRATCH_SECONDS = 86_400.0  # after which an agent's folder that is still there was left by a crash
PROGRAM_OUTPUT_BYTES = 256 * 1024  # the last of what another program said: its reason stands at the end
PROGRAM_LINE_BYTES = MOST_MESSAGE_BYTES  # of one event that it tells: an answer fits
PROGRAM_GRACE_SECONDS = 5.0  # between asking a program to end and killing it: a record is written meanwhile
CALLS_A_SESSION_FORESEEN = 3  # a search and two looks: for estimates only, never a bound
CALLS_A_BATCH_FORESEEN = 4  # the index, the answer, and mending it
TOKENS_A_CALL_FORESEEN = 2_500  # a third of the largest reply, which most are not
TOKENS_AN_ANSWER_FORESEEN = 400  # of a call with its arguments; the answer itself is longer, most calls are shorter
TOKENS_BEFORE_FORESEEN = 6_000  # instructions and tools, sent with every call
LEDGER_DAYS = 400  # with calls that are kept: a year, to compare with the one before
MOST_COUNTED = 10**15  # tokens or millionths of a dollar of one call: past any truth, and thousands of them add exactly
COST_DAYS = 7  # that `slowwave cost` shows unless asked otherwise
MOST_COST_CALLS = 1_000  # in one answer of `slowwave cost`: two full days of one consumer
MOST_COST_ROWS = 200  # of one table in it; every batch of a night is a row
MOST_CLOCK_STEP_DAYS = 2  # a clock that was put back; a ledger further ahead than that was written by a wrong one
FAILURES_ALONE = 3  # of one session by itself before it is set aside
TURN_DAYS = 30  # recorded turns are kept at most, unless told otherwise (spec 03)
EXPIRING_DAYS = 25  # a host that deletes after thirty days deletes within five
DELETED_DAYS = 30  # a session that is older and still there is kept for good

# The waking loop (spec 05, seed 001).
TICK_SECONDS = 60.0  # between two looks at what is due
TRIAGE_SECONDS = 300.0  # between two triages of captures
SCAN_SECONDS = 900.0  # between two scans of sessions for tags
COACHING_SECONDS = 900.0  # between two looks at traits that no goal was held against
SYNTHESIS_SECONDS = 14_400.0  # between two running summaries
CAPTURES_A_TICK = 50  # accepted ones, so that no tick is long or dear
LINES_A_TICK = 5_000  # of capture files, accepted or not; a file of rubbish cannot hold a tick
MOST_CAPTURE_BYTES = 1_048_576  # of one line without its break; longer ones are rejected
TAG_DEPTH = 64  # open tags at once; past it the outermost counts as never closed, as each repeats all words in it
MOST_SCAN_ORIGINS = 20_000  # sayings that a capture was made of: years of them, at 80 bytes each
CAPTURES_A_STEP = 200  # of sessions that are stored before the scan says how far it is: a crash repeats no more
SESSIONS_A_STEP = 500  # the same where they hold few
FOREIGN_SHARE = 0.7  # of a capture's content words that a person did not say, found in one place from outside
FOREIGN_SHARE_OF_PERSON = 0.5  # the same where it speaks of the person: three words may be put around three
FOREIGN_REACH = 2  # times as many content words as are looked for: a sentence; a file holds half of any somewhere
OWN_SHARE = 0.25  # of a capture's content words that the person said before, once a page was read
STEM_CHARACTERS = 5  # of a word that count: *prefers* and *preference* say the same
REJECT_HEAD_CHARACTERS = 200  # of a rejected line that are kept to recognise it by
GOAL_CHARACTERS = 2_000  # of a goal's title or description that are looked at
MOST_GOALS = 100  # active ones; whoever has more has none
TRAITS_A_REFRESH = 50  # held against goals in one refresh, each a call where a model is asked
JUDGED_CHARACTERS = 2_000  # of a capture that rules read: what it is stands at its beginning
ASKED_CHARACTERS = 8_000  # of a capture that a model is shown
AWAY_SECONDS = 300.0  # for which a provider that was away is not asked again by the loop: the usual step of triage
REASON_CHARACTERS = 200  # why somebody decided so, as it is kept
GOALS_A_QUESTION = 20  # put to a model at once about one trait
MOST_CLASSIFIED_LINES = 5_000  # of one file that `wake classify` reads: what a tick looks at
MOST_LIBRARY_CHARACTERS = 80  # of a phrase that the library of dates is shown: it tries many languages on each
MOST_WHEN_CHARACTERS = 2_000  # of a text in which a time is looked for: it stands near what is to be done
SERVE_PORT = 8765  # of the endpoints, on the loopback
MOST_SHARED_TRIES = 60  # to change a file that an editor writes too: each takes milliseconds, an editor saves once
MOST_ENTRY_CHARACTERS = 4_000  # of one line of the scratch; a longer capture is cut there and stays whole in its file
MOST_ENTRY_ID = 200  # characters of a capture's id in such a line; a longer one stands there by its hash
MOST_SUMMARISED_CHARACTERS = 200_000  # of a day's scratch that somebody is asked to sum up: a long book chapter
MOST_SUMMARY_CHARACTERS = 8_000  # of one running summary: a page

# Reminders and channels (spec 05).
REMINDERS_A_RUN = 20  # sent in one go: a tick stays short, and nobody reads more at once
LATE_SECONDS = 300.0  # behind its time before a reminder says that it is late: a few ticks
FIRST_RETRY_SECONDS = 60.0  # before a channel that failed is tried again, then twice as long: one tick
MOST_RETRY_SECONDS = 3_600.0  # between two tries: a reminder is worth little a day later, so it is never given up
NOTICE_CHARACTERS = 2_000  # of a reminder's text in a message; Telegram takes 4,096 in all
NOTICE_SECONDS = 30.0  # for one message over one channel: a slow mail server takes ten
TELEGRAM_TEXT_CHARACTERS = 4_000  # of one message; Telegram refuses more than 4,096
TELEGRAM_POLL_SECONDS = 25.0  # that one question waits for messages: below what proxies cut
TELEGRAM_GRACE_SECONDS = 10.0  # beyond that before an answer counts as not coming
MOST_TELEGRAM_BYTES = 4 * 1024 * 1024  # of one answer: a hundred messages of 4,096 characters, escaped, fit
TELEGRAM_UPDATES = 100  # asked for at once; the most that Telegram gives
FIRST_TELEGRAM_PAUSE_SECONDS = 1.0  # after an error, then twice as long
MOST_TELEGRAM_PAUSE_SECONDS = 300.0  # between two tries, whatever is asked for
TELEGRAM_OFFSET_DAYS = 6  # a place older than this is not asked from: after a week Telegram numbers anew, at random
MOST_NAMED_CHATS = 20  # of those that are not allowed, shown by id so that one can be allowed

# The endpoints and the schedule (spec 05, spec 08).
MOST_BODY_BYTES = 4 * 1024 * 1024  # of one request: a day of captures fits many times
BODY_SECONDS = 30.0  # in which a body has come: it comes from this machine
CAPTURES_A_REQUEST = 1_000  # twenty ticks of triage
MOST_CAPTURE_CHARACTERS = 160_000  # of one over HTTP: all of them escaped, its line stays below the bound of lines
REQUESTS_AT_ONCE = 64  # waiting for one person's home; more is a fault of whoever asks
STOP_SECONDS = 5.0  # that answers under way get when the endpoints end
SCHEDULED_SECONDS = 6 * 3_600.0  # for a scheduled night or brief, whatever a model does: over by noon
SCHEDULED_TRIES = 3  # of one due night that failed, before the next one's turn
RETRY_SCHEDULED_SECONDS = 3_600.0  # between two of them: what was away is perhaps back
SCHEDULER_SECONDS = 30.0  # that systemd, launchd or cron get for one answer
LOOK_SECONDS = 20.0  # between two looks at whether a scheduled task is due

# Versions of what slowwave writes; an unknown newer one is refused.
CORPUS_FORMAT = 1
STATE_FORMAT = 2
BUDGET_FORMAT = 1  # of the ledger of calls
WAKE_FORMAT = 1  # of the waking loop's book
INDEX_FORMAT = 1  # rebuildable: another number is rebuilt, not refused
