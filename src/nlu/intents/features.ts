import { hash, pair } from '../learning/linear.ts'
import type { Priority } from '../quick-task.ts'
import { groupsOf, kindsOf, piecesOf, wordsOf } from './words.ts'

const [SHORTEST_PIECE, LONGEST_PIECE] = [2, 5]

/** Words before the one that distinguishes a question, a statement and a command. */
const OPENING = new Set(
  'please hey hi hello ok okay olly alexa siri google cortana pda so well kindly just now also i a want need would like to you could can will me for let us lets the my'.split(
    ' ',
  ),
)
const ACTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    what: 'wh',
    whats: 'wh',
    "what's": 'wh',
    which: 'wh',
    who: 'wh',
    "who's": 'wh',
    whose: 'wh',
    whom: 'wh',
    why: 'wh',
    when: 'when',
    "when's": 'when',
    where: 'where',
    "where's": 'where',
    how: 'how',
    "how's": 'how',
    is: 'whether',
    are: 'whether',
    was: 'whether',
    were: 'whether',
    do: 'whether',
    does: 'whether',
    did: 'whether',
    have: 'whether',
    has: 'whether',
    had: 'whether',
    am: 'whether',
    any: 'whether',
    should: 'whether',
    isn: 'whether',
  }),
)
const VERB_KINDS = new Set([
  'make',
  'drop',
  'look',
  'hear',
  'mail',
  'remind',
  'stop',
  'alarm',
  'off',
  'on',
  'up',
  'down',
  'no',
  'yes',
  'thank',
  'define',
  'eat',
  'clean',
  'cook',
  'like',
  'again',
  'calendar',
  'phone',
  'social',
  'change',
])

/** Classifies the first significant word as a kind of question, a command or a statement. */
const actOf = (words: readonly string[]): string => {
  const first = words.find((word, at) => !OPENING.has(word) || (at === 0 && ACTS.has(word)))
  if (first === undefined) return 'none'
  return (
    ACTS.get(first) ??
    kindsOf(first).find((kind) => VERB_KINDS.has(kind)) ??
    (words[0] === 'i' ? 'telling' : 'other')
  )
}

const [START, END, PIECE, KIND, BESIDE, WITH, ACT] = ['^', '$', 'c', 'k', 'b', 'w', 'a'].map(hash) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

/** The features of one group, and the weight of the group. */
export interface Block {
  features: Set<number>
  weight: number
}

/**
 * Extracts four groups of features: words with word pairs, character n-grams, word classes with neighbours,
 * and pairs of word classes. The pairs may occur anywhere in the sentence.
 */
export const blocksOf = (text: string): Block[] => {
  const words = wordsOf(text)
  const numbers = [START, ...words.map(hash), END]
  const [plain, pieces, kinds, pairs] = [
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
  ]
  for (let at = 0; at + 1 < numbers.length; at++) {
    if (at > 0) plain.add(numbers[at] as number)
    plain.add(pair(numbers[at] as number, numbers[at + 1] as number))
  }
  for (const word of words)
    for (const piece of piecesOf(word, SHORTEST_PIECE, LONGEST_PIECE)) pieces.add(pair(PIECE, hash(piece)))
  const named = words.map((word) => kindsOf(word).map(hash))
  // A word without a class represents itself.
  const tokenFeatures = [
    [START],
    ...named.map((own, at) => (own.length > 0 ? own.slice(0, 2) : [numbers[at + 1] as number])),
    [END],
  ]
  for (const own of named) for (const kind of own) kinds.add(pair(KIND, kind))
  for (let at = 0; at + 1 < tokenFeatures.length; at++)
    for (const one of tokenFeatures[at] as number[])
      for (const two of tokenFeatures[at + 1] as number[]) kinds.add(pair(BESIDE, pair(one, two)))
  const all = [...new Set(named.flat())].sort((a, b) => a - b)
  for (const [at, one] of all.entries())
    for (let other = at + 1; other < all.length; other++)
      pairs.add(pair(WITH, pair(one, all[other] as number)))
  const act = pair(ACT, hash(actOf(words)))
  kinds.add(act)
  for (const kind of all) pairs.add(pair(act, kind))
  return [
    { features: plain, weight: 1 },
    { features: pieces, weight: 1 },
    { features: kinds, weight: 1 },
    { features: pairs, weight: 0.8 },
  ]
}

/** A date such as `2026-03-03`, or a local date and time such as `2026-03-03T14:00`. */
export type Wall = string

/** A range of dates or local times. `to` is exclusive. */
export interface WallRange {
  from?: Wall
  to?: Wall
}

/** Search criteria for an email, in the user's own words. */
export interface EmailPick {
  sender?: string
  recipient?: string
  about?: string
  /** Only the newest match. */
  latest?: true
  /** All matches. */
  all?: true
}

/** Search criteria for an event. */
export interface EventPick {
  title?: string
  person?: string
  /** The current start. */
  at?: Wall
  /** The next upcoming match. */
  next?: true
}

export type Mark = 'unread' | 'urgent' | 'starred' | 'unanswered'

/** The assistant's tools with their arguments. */
export interface ToolArguments {
  find_emails: EmailPick & WallRange & { marks?: Mark[]; tag?: string; withAttachment?: true }
  read_email: EmailPick
  /** Changes tags and flags. */
  tag_email: {
    email: EmailPick
    tag?: string
    remove?: true
    read?: boolean
    starred?: boolean
    /** True moves the email to the archive, false out of it. */
    archive?: boolean
  }
  delete_email: { email: EmailPick }
  /**
   * `reply` is the email to answer. The tool never sends; `send` records that the user wants the draft sent.
   */
  draft_email: { to?: string; reply?: EmailPick; about?: string; says?: string; send?: true }
  list_tasks: WallRange & {
    query?: string
    list?: string
    tag?: string
    priority?: Priority
    state?: 'open' | 'done' | 'overdue'
  }
  create_task: {
    title: string
    due?: Wall
    remindAt?: Wall
    recurrence?: string
    priority?: Priority
    tags?: string[]
    list?: string
    estimateMinutes?: number
  }
  update_task: {
    task: string
    title?: string
    due?: Wall
    remindAt?: Wall
    priority?: Priority
    tag?: string
    /** Offset from the current due date. */
    shiftMinutes?: number
    /** `doing` starts the task, `todo` reopens it. */
    status?: 'todo' | 'doing'
  }
  complete_task: { task: string }
  delete_task: { task: string; list?: string }
  list_events: WallRange & { query?: string; person?: string; next?: true }
  create_event: {
    title?: string
    start?: Wall
    end?: Wall
    minutes?: number
    allDay?: true
    people?: string[]
    place?: string
    recurrence?: string
  }
  /** Sets a new start, shifts the start by minutes, or changes the length. */
  move_event: { event: EventPick; start?: Wall; shiftMinutes?: number; minutes?: number }
  /** Changes the title or the location. */
  update_event: { event: EventPick; title?: string; place?: string }
  cancel_event: { event: EventPick }
  find_free_time: WallRange & { minutes?: number; people?: string[] }
  get_statistics: WallRange & {
    of: 'emails' | 'tasks' | 'events' | 'everything'
    mark?: Mark | 'open' | 'done' | 'overdue'
    person?: string
  }
  get_briefing: { day: Wall }
  /** Answers questions about dates and times. They need no user data. */
  tell_date: { asks: 'date' | 'weekday' | 'time' | 'days_until'; day?: Wall; timezone?: string }
}

export type IntentTool = keyof ToolArguments

/** The words of the request that led to an argument. */
export interface Evidence {
  argument: string
  text: string
  offset: number
}

export type Intent = {
  [Tool in IntentTool]: {
    tool: Tool
    arguments: ToolArguments[Tool]
    /** 0 to 1. */
    confidence: number
    evidence: Evidence[]
  }
}[IntentTool]

/** Explains why a clause led to no action. */
export interface Abstention {
  reason: 'out_of_scope' | 'unclear' | 'incomplete' | 'too_long' | 'empty'
  /** The missing information, or the topic the clause seems to be about. */
  detail: string
  text: string
  offset: number
}

export interface IntentReading {
  /** In the order of the text. */
  intents: Intent[]
  /** Clauses that led to no action. */
  abstained: Abstention[]
}

/*
 * Hand-written patterns of common phrases. The word order makes “say that again” recognizable, not its words.
 */
const PHRASES: Readonly<Record<string, RegExp>> = {
  again:
    /\b(say|said|tell|do|try|run|come|repeat|go|play|start|hear|one|once) (\w+ ){0,3}(again|more time|over)\b|\bone more time\b|\bonce (again|more)\b|\bover again\b/,
  pardon: /\b(pardon|beg your|come again|excuse me|what was that|say what|huh)\b/,
  'what was said':
    /\bwhat (did|do|were|was|have|had|are)( it| that)? you (just )?(say|said|saying|tell|told|mean)|\bwhat you (just )?(said|say|told|were saying)\b|\b(last|previous|earlier) (thing|sentence|statement|answer|response|word|words|part|phrase|line|question)\b/,
  'not heard':
    /\b(did ?n'?t|did not|could ?n'?t|could not|can ?'?t|cannot|can not|do ?n'?t|missed) (\w+ )?(hear|catch|heard|get (that|it|what|you)|make out|listen|that)\b/,
  'not understood':
    /\b(do ?n'?t|did ?n'?t|do not|did not|can ?'?t|cannot|could ?n'?t|not|unable to|have ?n'?t) (\w+ ){0,2}(understand|understood|follow|comprehend|get (it|that|what|your)|clear|sure what|make sense|grasp|know what you)/,
  'meant by':
    /\bwhat (do|did|does) (you|that|this|it) mean\b|\bwhat you mean|\bmean by\b|\bwhat('s| is) the meaning\b|\bmeaning of\b/,
  'explain more':
    /\b(explain|clarify|elaborate|describe|rephrase|tell me|say|details?|information|expand|specific|speak)\b.*\b(more|further|better|again|detail|details|clearly|clearer|simpler|specific|differently|different|another|bit|little|simple)\b|\bin (more |other |simple |simpler |plain |layman)(detail|words|terms|english)?/,
  'have you got it':
    /\b(did|have|do|are|can|will|would) (you|i|we)\b.*\b(right|correct|correctly|properly|understand|understood|sure|got (it|that|what)|get (it|that|me|what)|hear|heard|catch|clear|certain|follow)\b/,
  'is that right':
    /\b(is|was|were|are|isn't) (that|this|it|everything|all|these|those|my|the)( \w+){0,4} (right|correct|true|okay|ok|accurate|fine|good|clear|done|confirmed|set)\b/,
  'are you sure':
    /\b(are you|you) (\w+ )?(sure|certain|positive|serious)\b|\bmake sure\b|\bdouble check\b|\bcheck (again|it|that|this|my|what|if|whether|and)\b|\bcan you (please )?(check|confirm|verify)\b|\b(please )?(confirm|verify|recheck|ensure)\b/,
  wrong:
    /\b(that|this|it|you)('s| is| are|'re| was| were| got| have| did| must)?\b.*\b(wrong|incorrect|not (right|correct|what|true|it|the|how)|n't (right|correct|what|it|true)|mistake|misunderstood|mistaken|error|false|inaccurate|misheard)\b|\bnot what i\b|\bn't what i\b|\bnot (right|correct|quite|exactly|really|that|it)\b/,
  'never said':
    /\bi (did ?n'?t|never|did not|do ?n'?t|was ?n'?t|have ?n'?t) (\w+ )?(say|said|ask|asked|mean|meant|want|tell|told|request|order)/,
  'that is right':
    /\b(that|it|you|this|you're|that's|it's)('s| is| are|'re| got| was| were| have| did)?( \w+){0,2} (right|correct|correctly|perfect|perfectly|exactly|fine|good|great|true|spot on|it|accurate|understood)\b/,
  'you are good':
    /\b(you|you're|you've|u)('re| are|'ve| have| did| r)?( \w+){0,4} (great|awesome|good|best|well|amazing|brilliant|smart|excellent|nice|helpful|perfect|genius|star|rock|fantastic|wonderful|clever|job|intelligent|cool|useful|incredible|superb|terrific)\b/,
  'well done':
    /\b(good|great|nice|excellent|awesome|amazing|fantastic|well|wonderful|perfect|brilliant|superb|terrific|fine|outstanding|lovely|splendid) (\w+ )?(job|work|one|done|answer|response|boy|girl|going|stuff|effort|service|idea|thinking|suggestion)\b/,
  thanks: /\b(thank you|thanks|thank|appreciate (it|that|your|you|the)|much appreciated|grateful|cheers)\b/,
  'do not care':
    /\b(do ?n'?t|does ?n'?t|do not|does not|did ?n'?t|not|could ?n'?t|would ?n'?t|wo ?n'?t|no) (\w+ ){0,2}(care|mind|matter|matters|bother|bothered|bothers|preference|difference|important|concern|interested|give|fuss|big deal|problem|worry)\b|\b(any|either|all|both|anything|whatever|whichever|everything)( \w+){0,3} (fine|okay|ok|good|work|works|do|same|alright|you (want|like|think|say|prefer|choose))\b|\bup to you\b|\byour (choice|call|decision|pick)\b|\b(you|you can|please) (choose|decide|pick|select)\b|\bwho cares\b|\bso what\b|\bi'm (fine|good|okay|easy|open)\b|\bwhat ?ever\b|\b(anyone|any one|anything) is\b|\bsurprise me\b/,
  'stop it':
    /\b(stop|cancel|end|quit|halt|drop|leave|abort|pause|cease|finish|shut|hold)( \w+)? (it|that|this|there|now|please|talking|playing|off|down|up|the|what|doing|immediately|everything)\b|\b(that's|that is|that'll|that will) (enough|all|be all|it|plenty|do)\b|\bnever ?mind\b|\bforget (it|about|that|what)\b|\b(be|keep|stay) (quiet|silent)\b|\bshut up\b|\bhold on\b|\bno (more|longer|need)\b|\bdo(n't| not) (need|want|do|bother)\b|\benough\b|\bgo away\b|\bi('m| am) (done|finished)\b/,
  joke: /\b(tell|say|give|share|know|hear|crack|make|got|read|find|have|need|want)\b.*\b(joke|jokes|funny|laugh|pun|humor|riddle)\b|\bcheer me up\b|\bmake me (laugh|smile|giggle)\b/,
  'what is':
    /^(hey |olly |please |so |google |alexa |siri |can you tell me |tell me |do you know )*what( is|'s|s| are) (a|an|the)?\b/,
  'who is': /\bwho( is|'s|s| was| are| were)\b/,
  'what can': /\bwhat (can|do|could|should|would) (you|i|we)\b/,
  'how many': /\bhow many\b/,
  'how much': /\bhow much\b/,
  'how long': /\bhow (long|far)\b/,
  'how old': /\bhow (old|tall|big|high|deep|large|heavy|wide)\b/,
  'how do': /\bhow (do|to|can|would|should|does|is|are) (i|you|we|to|one|it)?\b/,
  'how is': /\bhow('s| is| are| was|s)\b/,
  'when is': /\bwhen('s| is| are| do| does| will| can| should|s)\b/,
  'is there': /\b(is|are|was|were) there\b/,
  'do I have': /\b(do|did|have) i\b|\bi have\b|\bam i\b/,
  mine: /\bmy (\w+ )?(calendar|list|lists|schedule|email|emails|inbox|alarm|alarms|contacts|playlist|reminders?|events?|appointments?|meetings?|lights?|music|feed|wall|timeline|account)\b/,
  'turn off': /\b(turn|switch|shut|power|cut|put|flip)( \w+){0,6} (off|out|down)\b/,
  'turn on': /\b(turn|switch|power|put|flip)( \w+){0,6} on\b/,
  'turn up': /\b(turn|crank|pump|put|bring|go)( \w+){0,4} up\b/,
  'turn down': /\b(turn|bring|put|tone|dim|keep|go)( \w+){0,4} down\b/,
  'wake me': /\b(wake|get) (me|us) up\b|\bwake me\b/,
  'remind me':
    /\b(remind|notify|alert|tell|warn|let) (me|us)( know)? (to|about|of|when|that|if|before|on|at|in)\b|\b(set|create|add|make|put)( \w+){0,2} (reminder|notification|alert)\b/,
  'to a list': /\b(to|on|onto|in|into) (the|my|our|a|this)( \w+){0,3} list\b/,
  'from a list': /\b(from|off|of|out of) (the|my|our|a|this)( \w+){0,3} (list|calendar|schedule)\b/,
  'new list': /\b(new|another|start|create|make|begin)( \w+){0,3} list\b/,
  'add a contact': /\b(add|save|store|put|create|make)( \w+){0,8} (contacts?|address book|phonebook)\b/,
  'mail to':
    /\b(send|write|compose|email|mail|reply|forward|shoot|respond|draft)\b( \w+){0,6} (to|email|mail|message|note)\b/,
  'new mail':
    /\b(any|new|unread|recent|latest|check|have)\b( \w+){0,4} (email|emails|mail|mails|messages?|inbox)\b/,
  'mail from': /\b(email|emails|mail|mails|message|messages)\b( \w+){0,4} (from|by|about|regarding)\b/,
  play: /^(\w+ ){0,4}(play|put on|start|listen to|hear)\b/,
  'I like': /\bi (\w+ )?(like|love|enjoy|hate|dislike|prefer|adore|am a fan|do ?n'?t like)\b/,
  'this song':
    /\b(this|that|the|current|next|last|previous) (\w+ )?(song|track|music|album|artist|tune|playlist|one)\b/,
  'what song':
    /\b(what|which|who|whose|name|title)\b( \w+){0,4} (song|music|singer|artist|band|album|track|sings?|sang|playing)\b/,
  'near me':
    /\b(near|close|around|closest|nearest) (to )?(me|here|by|my|us)\b|\bin (the |this |my )?(area|neighborhood|vicinity|town|city)\b|\baround (here|town)\b/,
  deliver:
    /\b(do|does|can|will|is|are)\b( \w+){0,6} (deliver|delivery|delivers|takeaway|take ?out|take away|carry ?out)\b/,
  'order some':
    /\b(order|get|i want|i'd like|i would like|buy|bring)\b( \w+){0,3} (pizza|food|chinese|sushi|burger|burgers|takeaway|takeout|dinner|lunch|curry|thai|indian)\b/,
  'where is my order':
    /\b(where|when|how long|status|track)\b.*\b(order|food|pizza|delivery|takeaway|takeout|meal)\b/,
  ride: /\b(call|get|book|order|find|need|hail|send|arrange|request|schedule)\b( \w+){0,4} (taxi|cab|uber|lyft|ride|car)\b/,
  ticket: /\b(book|buy|get|purchase|find|reserve|need|order)\b( \w+){0,5} (tickets?|train|flight|seat)\b/,
  'from to': /\bfrom [\w ]+ to\b/,
  'train time':
    /\b(when|what time|time|schedule|next|arrive|leave|depart)\b.*\b(train|bus|flight|plane|subway|metro)\b|\b(train|bus|flight|plane|subway|metro)\b.*\b(when|time|schedule|arrive|leave|depart|leaves|arrives|departs)\b/,
  'how to get there':
    /\b(how (do|can|to|should|would)( i| we)? (get|go|reach|drive|travel|walk))\b|\b(best|fastest|quickest|shortest|easiest) (way|route|path)\b|\bdirections\b/,
  'will it':
    /\b(will|is|is it|would|does) (it|there)( \w+){0,3} (rain|snow|be|going|cold|hot|sunny|warm|raining|snowing|storm|windy)\b/,
  'do I need': /\b(do|should|will|would|shall) (i|we)( \w+){0,2} (need|wear|bring|take|carry|pack|have)\b/,
  worth:
    /\bhow (much|many)( \w+){0,4} (worth|cost|dollars?|euros?|pounds?|yen|rupees?)\b|\bexchange rate\b|\bto the (dollar|euro|pound)\b|\b(dollars?|euros?|pounds?|yen|rupees?|pesos?) (to|in|into|for|per|and|equal|is|are)\b/,
  'stock price':
    /\b(price|stock|stocks|share|shares|trading|value)\b( \w+){0,3} (of|for|at|price|in|doing)\b|\bhow('s| is| are| did)( \w+){1,4} (stock|stocks|shares|doing|trading|performing)\b/,
  sum: /\b(plus|minus|times|divided by|multiplied by|over|square root|percent of|squared|cubed|to the power)\b|0 (x|times|plus|minus) 0/,
  recipe:
    /\b(recipe|how (do|to|can|should|would|long)( i| you| we)?( \w+)? (make|cook|bake|prepare|boil|fry|grill|roast))\b|\bingredients\b/,
  'time in':
    /\b(what|whats|what's|tell me|current|know) (\w+ ){0,4}time\b.*\b(in|at|for|zone)\b|\btime (is it )?in\b|\btime zone\b/,
  'what time': /\b(what|whats|what's|tell me|current|know|the) (\w+ ){0,2}(time|date|day|hour|year|month)\b/,
  'time converted':
    /\b(convert|change|difference|translate|switch)\b.*\b(time|timezone|zone|est|pst|gmt|eastern|pacific|central|hours?)\b/,
  'what is on':
    /\bwhat('s| is|s| are| do| do i)?( i| we)?( \w+){0,2} (on|happening|going on|up|planned|scheduled|new|playing|showing)\b/,
  'any good':
    /\b(any|some|a|what|which|best|good|recommend|suggest)\b( \w+){0,3} (movies?|films?|shows?|events?|concerts?|restaurants?|places?|stores?|shops?|bars?|cafes?)\b/,
  'on social media':
    /\b(on|to|in|from|my|via) (my )?(facebook|twitter|instagram|linkedin|snapchat|social|tumblr|reddit)\b/,
  'customer service': /\b(customer|consumer) (service|care|support)\b|\bcomplaint?\b/,
  'delete an alarm': /\b(remove|delete|cancel|turn off|disable|stop|clear|dismiss|erase|kill)\b.*\balarms?\b/,
  'delete an event':
    /\b(remove|delete|cancel|clear|erase|drop|take)\b.*\b(event|meeting|appointment|calendar|reminder|party|schedule)\b/,
  'I am': /\b(i'm|i am|i feel|i've been|i was)\b/,
  'should I': /\b(should|could|can|may|shall|must) i\b/,
  'do you':
    /\b(do|are|can|have|will|would|did|could) you (like|think|believe|feel|have|love|know|a|human|real|alive|sing|dance|eat|sleep|cook|ever|dream|get|want|live)\b/,
  volume:
    /\b(volume|sound|music|audio|speakers?|tv|it)\b.*\b(up|down|lower|higher|louder|quieter|mute|off)\b|\b(up|down|lower|higher|raise|louder|quieter|mute|increase|decrease|reduce)\b.*\b(volume|sound|music|audio|speakers?)\b/,
  lights: /\b(lights?|lamps?|bulbs?|lighting)\b/,
  'make coffee':
    /\b(make|brew|get|prepare|start|pour|want|need|have|give|fix)\b( \w+){0,5} (coffee|espresso|latte|cappuccino|mocha|cup)\b/,
}

/** Returns the names of the patterns that match a sentence. */
const phrasesOf = (words: readonly string[]): string[] => {
  const text = words.join(' ')
  return Object.keys(PHRASES).filter((name) => (PHRASES[name] as RegExp).test(text))
}

const [GROUP, GROUP_WITH, GROUP_BESIDE, PHRASE, NONE] = ['g', 'gw', 'gb', 'p', 'none'].map(hash) as [
  number,
  number,
  number,
  number,
  number,
]

/** Maximum number of groups per word that are paired with the groups of its neighbours. */
const NEIGHBOURS = 3

const pairsOf = (mark: number, numbers: readonly number[]): Set<number> => {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  return new Set(
    sorted.flatMap((one, at) => sorted.slice(at + 1).map((other) => pair(mark, pair(one, other)))),
  )
}

/**
 * Extracts the additional features of the larger model: word groups, their pairs in a sentence, their
 * adjacent pairs, and phrase patterns. Phrase patterns also count in pairs and with word classes.
 */
export const fineBlocksOf = (text: string): Block[] => {
  const words = wordsOf(text)
  const groups = words.map((word) => groupsOf(word).map(hash))
  const tokenFeatures = [
    [START],
    ...groups.map((own, at) => (own.length > 0 ? own.slice(0, NEIGHBOURS) : [hash(words[at] as string)])),
    [END],
  ]
  const beside = new Set<number>()
  for (let at = 0; at + 1 < tokenFeatures.length; at++)
    for (const one of tokenFeatures[at] as number[])
      for (const two of tokenFeatures[at + 1] as number[]) beside.add(pair(GROUP_BESIDE, pair(one, two)))
  const phrases = phrasesOf(words).map((phrase) => pair(PHRASE, hash(phrase)))
  const kinds = new Set(words.flatMap(kindsOf).map(hash))
  const said = new Set(phrases.length > 0 ? phrases : [pair(PHRASE, NONE)])
  for (const phrase of phrases) for (const kind of kinds) said.add(pair(phrase, kind))
  for (const both of pairsOf(PHRASE, phrases)) said.add(both)
  return [
    { features: new Set(groups.flat().map((group) => pair(GROUP, group))), weight: 0.5 },
    { features: pairsOf(GROUP_WITH, groups.flat()), weight: 0.5 },
    { features: beside, weight: 0.5 },
    { features: said, weight: 0.5 },
  ]
}
