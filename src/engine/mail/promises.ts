/** The writer speaks of what they will do. */
const OWN_DEED =
  /\b(?:i|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to| promise to)\b|\b(?:ich|wir) werden?\b|\bich (?:melde|schicke|sende|rufe|kümmere|komme)\b|\bwir (?:melden|schicken|senden)\b/i

/** What one can be held to: something is done, sent, made. "I will be away" promises nothing. */
export const DEED = `send|forward|bring|call|phone|ring|e-?mail|mail|write|reply|respond|answer|get back|come back|let you know|prepare|check|look into|look at|review|read|finish|complete|deliver|update|share|provide|submit|arrange|book|schedule|organi[sz]e|confirm|pay|transfer|fix|handle|take care|follow up|circulate|draft|post|upload|ask|talk|speak|make|do|return|contact|set up|sort|give|drop|pick|order|sign|print|test|deploy|report|file|invite|order|buy|cancel|change|move|add|remove|revise|correct|attach|pass|hand|show|tell|find out|investigate|release|publish|ship|install`

const PROMISES: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:i|we)(?:['’]ll| will| shall|['’]m(?: also)? going to| am(?: also)? going to|['’]re(?: also)? going to| are(?: also)? going to| promise to)(?: (?:also|then|just|try to|try and|make sure to|be sure to|definitely|certainly|gladly|happily|personally|first|now|soon|shortly|quickly|have .{1,40} and))? (?:${DEED})\b`,
    'i',
  ),
  new RegExp(
    String.raw`^\s*(?:but |and )?(?:i|we) (?:still |also |just )?(?:have|need) to (?:${DEED})\b`,
    'i',
  ),
  /\b(?:ich|wir) (?:schicken?|sende|senden|melden?|rufen?|bringen?|kümmer[en]|erledigen?|liefern?|überweisen?|prüfen?|klären?|bereiten?|leiten?|schreiben?|besorgen?|buchen?|bestellen?|zahlen?|bezahlen?|reichen?|gebe|geben|verschicken?|erstellen?|machen?|aktualisieren?|übernehmen?|organisieren?|informieren?|fragen?|spreche|sprechen|holen?|laden?|stellen?|bestätigen?|vereinbaren?|unterschreiben?|korrigieren?|ergänzen?) (?=[^.?!]{0,200}\S)/i,
  new RegExp(String.raw`\b(?:i|we)\b[^.?!]{0,80}\band (?:will|['’]ll) (?:${DEED})\b`, 'i'),
  /\b(?:ich|wir)\b[^.?!]{0,80}\bund (?:schicke|sende|melde|rufe|bringe|gebe|leite|kümmere|überweise|prüfe|schreibe|erledige|kläre|besorge|buche)n?\b/i,
  /\b(?:ich|wir) werden? [^.?!]{0,160}(?<![a-zß-ÿ])(?:schicken|senden|melden|anrufen|bringen|kümmern|erledigen|liefern|überweisen|prüfen|klären|vorbereiten|weiterleiten|schreiben|besorgen|buchen|bestellen|bezahlen|einreichen|machen|fertigstellen|organisieren|zusenden|zuschicken)\b/i,
]

/** Turns what sounds like a promise into something that is wanted: "I will need you to", "I'll wait, so please". */
const ASKS_BACK =
  /\b(?:please|let (?:me|us) know|bitte)\b|\?|\b(?:need|want|like|expect|require|appreciate|await|count on|rely on|wait for|look forward to) (?:you|your|to hear)\b|\byou (?:to|need|should|must|could|would|have to)\b|\b(?:kannst|könntest|musst|solltest|würdest) du\b|\b(?:können|könnten|müssen|sollten|würden) sie\b/i

/** What depends on something is not promised yet. */
const CONDITION = /^\s*(?:if|unless|should you|in case|wenn|falls|sofern)\b/i

/** Nobody promises for others. */
const SPEAKER = /\b(?:i|we|ich|wir)\b/i

const LONGEST = 600

/** Whether a sentence that counts as something to do is the writer's to do. */
export const isOwnDeed = (sentence: string): boolean => {
  const words = sentence.slice(0, LONGEST)
  return OWN_DEED.test(words) && !ASKS_BACK.test(words)
}

/** Whether a sentence promises something that its writer can be held to. */
export const isPromise = (sentence: string): boolean => {
  const words = sentence.slice(0, LONGEST)
  if (!SPEAKER.test(words)) return false
  return !CONDITION.test(words) && PROMISES.some((form) => form.test(words)) && !ASKS_BACK.test(words)
}

const FAREWELL =
  /^(?:(?:see|talk to|speak to|catch) you|(?:talk|speak) (?:soon|then|later)|(?:we )?(?:look|looking) forward to (?!your (?:answer|reply|response|feedback))|have a (?:great|nice|good|lovely|safe)|enjoy (?:your|the)|take care|bis (?:dann|bald|morgen|später|nächste|montag|dienstag|mittwoch|donnerstag|freitag)|wir sehen uns|schöne[ns]? (?:tag|abend|woche|wochenende|urlaub))\b[^?]{0,50}$/iu

/** "See you next week.": words of parting ask for nothing. */
export const isFarewell = (words: string): boolean => words.length < 70 && FAREWELL.test(words)
