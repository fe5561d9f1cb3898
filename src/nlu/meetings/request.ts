/*
 * Decides whether a request asks to create an event, not to query, move, answer or cancel one. The first
 * words decide. If they do not, an occasion with a time does.
 */
const POLITE =
  /^[\s|]*(?:(?:(?:hi|hello|hey)(?: there)?|yes|yeah|yep|ok|okay|so|oh|well|please|pls|pleas|kindly|cortana|alexa|good (?:morning|afternoon|evening)|hallo|bitte|thanks|thank you|sure|great|also|now|then|and)\b[\s,.!:–-]*)+/iu
const OFFER =
  /^(?:(?:can|could|would|will) (?:you|we|u)(?: please| kindly| help me(?: to)?| be able to)?|i(?:'d| would)? (?:like|love|want|need|wanna|have)(?: (?:you|for you))?(?: to)?|i (?:wish|want) to|help me(?: to)?|let(?:'s| us|s)|i need your help (?:to|on)|go ahead and|make sure (?:to|that)|it would be (?:great|nice) (?:to|if you could)|kannst du|könntest du|ich (?:möchte|will|muss|brauche))\b[\s,]*(?:please\b[\s,]*)?/iu

const MAKE =
  /^(?:add|schedule|create|creat|make|set ?up|setup|set|put|book|plan|arrange|organi[sz]e|mark|block|reserve|enter|insert|pencil|fix|note|indicate|remind me|show me as|have the team|register|plot|trag|erstelle?|plane|vereinbare|buche|notiere|erinnere)\b/iu
const CHANGING =
  'cancel|delete|remove|get rid of|erase|clear (?:my|the|all|out|tuesday|monday|friday)|drop|re-?schedule|move|postpone|put off|push (?:back|my|the|it)|change|update|modify|edit|extend|shorten|rename|replace|swap|switch|defer|delay|bump|shift|decline|accept|rsvp|forward|undo|take (?:off|\\p{L}+(?: and \\p{L}+)? off)|absagen|löschen|verschieben|verschiebe|lösche|storniere|sag'
/** Matches only at the start of a clause, where it is the request. */
const CHANGE = new RegExp(
  `(?:^|[.!?,;:]\\s*|\\b(?:to|and|please|you|then|also|just|need|help|ahead and|let's|lets)\\s+)(?:${CHANGING})\\b`,
  'iu',
)
/** The text reports a change to an existing event. */
const OTHERWISE =
  /\b(?:instead|can(?:'|no)?t make it|won'?t (?:be|come|make)|(?:was|got|been|be|is) (?:moved|cancel\w*|postponed|deleted|changed|invited)|events? deleted|anymore|not feeling|too short|too long|need help|that is now|wondering if|double check|trying to (?:confirm|find)|check if|few changes|(?:was|is) (?:at|with|on) [^.]{1,40}?,? not )\b/iu
const ASK =
  /^(?:what|whats|what's|when|whens|when's|where|wheres|where's|who|whos|who's|whom|whose|which|why|any|anything|how|hows|how's|is|isn't|are|aren't|am|was|were|do|does|did|has|had|will (?!you\b|we\b)|would (?!you\b)|should|may i|could i|can i|can (?:anyone|someone)|have i|have you|wann|wer|wie|welche|ist|habe ich|gibt es)\b/iu
const LOOK =
  /^(?:show|tell|list|find(?! (?:me |us )?(?:a |some |the )?(?:time|slot|spot|\d+|an hour|half|space|room|opening))|give|check|look|search|read|display|pull|view|see (?:if|what|when|my|who)|let me know|know|count|get (?:me )?(?:the|my|a list|info)|call (?!it\b)|email|send|text|message|contact|ask|open (?:my|the)|go (?:to|over)|review my|remember when|thank|weather|forecast|directions|navigate|play|turn|search|zeige?|liste)\b/iu
const SUBJECT_IS =
  /^(?:i(?:'m| am|'ll| will|'ve| have| had| saw| met| went| was| got| gotta| must| should| can| might| plan)?|we(?:'re| are|'ll| will| have| need)?|my|our|there(?:'s| is| will be| are)|the|a|an|on|at|this|next|in|before|after|from|today|tomorrow)\b/iu
const OCCASION =
  /\b(?:meeting|metting|meet|event|appointment|apointment|appt|lunch|dinner|breakfast|brunch|coffee|drinks|party|call|interview|session|class|lesson|game|match|practice|rehearsal|concert|conference|workshop|seminar|presentation|review|demo|trip|vacation|holiday|flight|visit|date|birthday|wedding|doctor|dentist|haircut|gym|yoga|hike|movie|show|reservation|deadline|due|exam|test|shopping|pick ?up|drop ?off|standup|sync|1:1|one[- ]on[- ]one|out of (?:the )?office|termin|treffen|besprechung|mittagessen|abendessen|essen)\b/iu
const NOT_ONE =
  /\b(?:my (?:next|last|first|second|third)|the (?:next|last|first) (?:meeting|event|appointment))\b/iu
const TO_EVENT =
  /\b(?:to|from|off|in) (?:my|the|tomorrow'?s|today'?s|monday'?s|this|that|our) (?!(?:\w+ )?(?:calend|schedule|agenda|diary))[\w' ]{0,40}\b(?:meeting|event|appointment|lunch|dinner|party|call|invite|guest list|list)\b/iu

export interface ParsedRequest {
  wanted: boolean
  confidence: number
}

/** `timed` is true if the text contains a time. */
export const asksForEvent = (text: string, timed: boolean): ParsedRequest => {
  const say = (wanted: boolean, confidence: number): ParsedRequest => ({ wanted, confidence })
  const bare = text.trim().replace(POLITE, '')
  if (bare === '') return say(false, 0.9)
  const inner = bare.replace(OFFER, '')
  const offered = inner.length < bare.length
  if (ASK.test(bare) && !offered) return say(false, 0.9)
  const sentences = inner.split(/(?<=[.?!])\s+/u)
  const first = sentences[0] as string
  if (CHANGE.test(inner.slice(0, 400)) || OTHERWISE.test(bare.slice(0, 400))) return say(false, 0.8)
  if (MAKE.test(inner)) {
    if (
      /^(?:add|put|invite)\b/i.test(inner) &&
      TO_EVENT.test(first) &&
      !/\bto (?:my|the) (?:\w+ )?(?:calend|schedule)/i.test(first)
    )
      return say(false, 0.6)
    if (
      /^(?:set|make|create) (?:a |an |my |the )?(?:alarm|timer|call to|list|playlist|preferences?|calend[ae]r)\b(?! (?:event|appointment|for))/i.test(
        inner,
      )
    )
      return say(false, 0.6)
    return say(true, OCCASION.test(inner) || timed ? 0.95 : 0.8)
  }
  if (LOOK.test(inner)) return say(false, 0.8)
  if (/\b(?:weather|temperature|rain|the forecast|email address|phone number)\b/i.test(bare))
    return say(false, 0.8)
  if (/\?\s*$/.test(bare) && !offered) {
    const asks = sentences.some((sentence) => MAKE.test(sentence.replace(POLITE, '').replace(OFFER, '')))
    return say(asks, 0.6)
  }
  if (
    sentences.some(
      (sentence) => sentence !== first && MAKE.test(sentence.replace(POLITE, '').replace(OFFER, '')),
    )
  )
    return say(true, 0.8)
  const occasion = OCCASION.test(inner)
  if (NOT_ONE.test(inner) && !timed) return say(false, 0.6)
  if (occasion && timed) return say(true, 0.8)
  if (offered && (occasion || timed)) return say(true, 0.75)
  if (timed && (SUBJECT_IS.test(inner) || inner.split(/\s+/u).length >= 2)) return say(true, 0.6)
  if (occasion && /\b(?:with|mit)\b/i.test(inner)) return say(true, 0.6)
  return say(occasion && offered, 0.5)
}
