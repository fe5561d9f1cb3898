import { AFTER, BEFORE, unicode } from './word-boundaries.ts'

/*
 * Patterns for promises in English and German. A promise is made in the first person, about the future, without a
 * condition. German uses the present tense for it, so that its verbs are listed, and reports are excluded by words.
 */

/** Verbs of actions that one person does for another, in their base form. */
const VERBS = [
  'send|resend|forward|e-?mail|mail|text|write|reply|respond|answer|call|phone|ring|message|ping|contact',
  'get (?:back|it done|(?:you|them|him|her|everyone|it|this|that|the|a|an|hold of|in touch|on (?:it|this|that))\\b)|come back to|circle back|report(?: back)?|revert|follow up|check(?: back)?|double-check|confirm|clarify|find out|look (?:into|at|after|over|up|for)|take (?:a look|care|over|on|up|that on|it on|notes|the minutes)|have a look',
  'let (?:you|him|her|them|everyone|everybody|the \\p{L}+|\\p{Lu}\\p{L}+) (?:know|have)|keep (?:you|everyone|them) (?:posted|updated|informed|in the loop)|keep an eye|inform|notify|tell (?:him|her|them|everyone|the|my|our|\\p{Lu})|remind|ask|talk|speak|chat|discuss',
  'prepare|draft|finish|complete|finali[sz]e|update|revise|correct|amend|edit|rewrite|review|read|proofread|translate|print|scan|copy|sign|fill|submit|file|upload|share|post|publish|release|circulate|distribute|deliver|ship|provide|hand|pass|give|return|bring|drop|pick|collect|fetch|buy|order|pay|transfer|settle|reimburse|refund|invoice|book|reserve|schedule|reschedule|arrange|organi[sz]e|set up|sort|handle|deal|fix|repair|solve|resolve|investigate|test|deploy|install|build|create|make (?:sure|the|a|an|you|it|that|this|those)|design|add|remove|delete|cancel|change|replace|move|invite|introduce|connect|join|apply|register|enter|attach|include|put|pull together|back up|restore|reset|restart|approve|issue|credit|compile|collate|calculate|compare|verify|research|document|record|present|cover|chase|push|negotiate|coordinate|clean|wash|paint|cook|bake|water|feed|walk|mow|do (?:it|that|this|my best|so|the|some)',
].join('|')
/** These promise something only with a date. */
const SOFT_VERBS =
  'help|work on|start|begin|try|attend|visit|show|explain|describe|support|decide|think (?:about|it over)|plan|run|lead|host|close|open|use'

const ADVERBS =
  '(?:(?:also|then|just|still|only|definitely|certainly|gladly|happily|personally|first|now|soon|shortly|quickly|immediately|probably|likely|in the meantime|meanwhile|of course|try (?:to|and)|do my best to|make sure (?:to|that I|I|we)|be sure to|go ahead and|have to) )*'
const AUXILIARY =
  "(?:['’]ll|\\s(?:will|shall)|(?:['’]m|['’]re|\\sam|\\sare) (?:also )?going to|\\s(?:hereby )?promise (?:to|(?:you )?(?:that )?(?:i|we)(?:['’]ll| will))|\\s(?:commit|undertake) to)"
const SUBJECT = `(?:i|we|my team|our team|one of us)${AUXILIARY} ${ADVERBS}`

const ING =
  'sending|forwarding|writing|calling|bringing|preparing|sharing|paying|delivering|submitting|uploading|returning|picking|dropping|booking|reviewing|updating|working on'

export const PROMISES_EN = unicode(
  `${BEFORE}(?:${SUBJECT}(?:${VERBS}|be (?:${ING})|have (?:[^.!?]{2,60}) (?:ready|done|finished|sent|for you|to you|in your inbox))|(?:i|we) will (?:also |then )?and (?:will|shall) (?:${VERBS}))${AFTER}`,
)
export const SOFT_PROMISES_EN = unicode(`${BEFORE}${SUBJECT}(?:${SOFT_VERBS})${AFTER}`)
/** A sentence without its subject: "Will update the file tonight." */
export const ELIDED_EN = unicode(
  `^(?:will|shall|gonna|going to|happy to confirm (?:that )?i['’]ll) ${ADVERBS}(?:${VERBS})${AFTER}`,
)
/** The reader gets something: "You'll have the report by Friday." Needs a date or "from me". */
export const RECEIVES_EN = unicode(
  `${BEFORE}you(?:['’]ll| will| can| should) (?:then )?(?:have|receive|get|expect|hear)${AFTER}(?! (?:to|a great|fun|used|started|there|going))`,
)
export const FROM_WRITER = unicode(
  `${BEFORE}(?:from (?:me|us)|von (?:mir|uns)|in your inbox|on your desk)${AFTER}`,
)
/** "Let me check and get back to you." */
export const LET_ME_EN = unicode(
  `${BEFORE}let (?:me|us) [^.!?]{2,120}${BEFORE}(?:and|then) (?:then |i['’]ll |i will )?(?:get back|come back|let you know|report back|send|write|call|reply|circle back)${AFTER}`,
)

/** A verb after "I will" that is about the writer alone. */
export const NO_ACTION_EN = unicode(
  `${BEFORE}(?:i|we)(?:['’]ll| will| shall)? (?:not|never|always|no longer|hardly|be(?! (?:${ING}|sure to))|put up with|end up|call it|ask you|pass on (?:this|that|it)|answer (?:[^.!?]{0,40})below|do without|(?:try to )?make (?:it|the \\p{L}+ \\d)|take the \\d|have to (?:wait|cancel|charge|decline)|let you (?:go|get|decide|sleep)|get (?:the (?:train|bus|idea|point|impression))|read it as|write (?:off|a book))${AFTER}`,
)
/** Words before the promise that take it back: doubt, a hope, a report, a question. */
export const DOUBT = unicode(
  `${BEFORE}(?:maybe|perhaps|possibly|hope|hopefully|doubt|wish|guess|suppose|thought|assume|unsure|not sure|no idea|if|whether|unless|nobody|who|what|when|where|why|how|said|says|told|(?:do|did) you|don['’]t (?:know|think)|i['’]m sure|am sure|are sure|sure that|vielleicht|eventuell|womöglich|ggf|gegebenenfalls|hoffe|hoffentlich|glaube|vermute|fürchte|ob|wann|wie|warum|weshalb|falls|wenn|sofern|sobald|bevor|würde|könnte|hätte|wollte|sollte|möchte|darf|soll|sollen)${AFTER}`,
)
/** A condition after the promise. */
export const CONDITION_AFTER = unicode(
  `${BEFORE}(?:if|unless|only when|provided|(?<!just )in case|whenever|falls|sofern|sollten?|es sei denn|vorausgesetzt|nur wenn)${AFTER}`,
)
/** "when" is a condition, but not after a promise to report: "I'll let you know when it is here". */
export const WHEN_AFTER = unicode(`,? ${BEFORE}wenn${AFTER}`)
export const REPORTS = unicode(
  `${BEFORE}(?:let (?:you|him|her|them) know|keep (?:you|everyone)|wissen|bescheid|melden?|sage)${AFTER}`,
)
export const CONDITION_FIRST =
  /^(?:if|unless|should|in case|once|when|whenever|as soon as you|after you|wenn|falls|sofern|sobald|sollten?|nachdem|solange|im falle)(?![\p{L}\d])/iu

/* German */

const STEMS = [
  'schick|send|send|verschick|versend|leit|melde?|ruf|schreib|antwort|beantwort|informier|benachrichtig|frag|sprech|red|klär|kläre|prüf|überprüf|kontrollier|schau|guck|seh|les',
  'kümmer|kümmr|erledig|organisier|besorg|buch|reservier|bestell|kauf|hol|bring|liefer|übergeb|überreich|geb|reich|zahl|bezahl|überweis|erstatt|begleich|stell|erstell|mach|bau|bereit|vorbereit|entwerf|schließ|beend|aktualisier|korrigier|ergänz|änder|überarbeit|übersetz|druck|scann|kopier|unterschreib|unterzeichn|füll|beantrag|kündig|verlänger|vereinbar|verschieb|plan|koordinier|übernehm|bestätig|reparier|behe?b|lös|test|installier|richt|lad|veröffentlich|trag|teil|verteil|nehm|räum|putz|koch|back|fahr|komm|setz|leg|pack|sammel|sammle|such|trommel|lass|sag|erinner|zeig|erklär|berechn|kalkulier|such|stimm|beauftrag|sprech|weis|sorg|dräng|hak',
].join('|')
const VERB_ICH = `(?:${STEMS})\\p{Ll}{0,2}e`
const VERB_WIR = `(?:${STEMS})\\p{Ll}{0,2}(?:en|n)`
const INFINITIVE = `(?:\\p{Ll}{0,10})?(?:${STEMS})\\p{Ll}{0,6}n`

export const PROMISES_DE = unicode(
  `${BEFORE}(?:(?:ich|wir) (?:(?:${VERB_ICH})|(?:${VERB_WIR}))|(?:${VERB_ICH}) ich|(?:${VERB_WIR}) wir)${AFTER}`,
)
export const WILL_DE = unicode(
  `${BEFORE}(?:(?:ich|wir) werden?|werden? (?:ich|wir))${AFTER}[^.?!]{0,200}${BEFORE}${INFINITIVE}${AFTER}`,
)
/** "Melde mich morgen." */
export const ELIDED_DE = unicode(
  `^(?:(?:${VERB_ICH}) (?:mich|mir|dir|euch|ihnen|ihm|ihr|das|es|den|die|dich|dann|ich|heute|morgen|gleich|nachher|später|am)${AFTER}|werde (?:[^.?!]{1,120}) ${INFINITIVE}${AFTER})`,
)
export const PLEDGES_DE = unicode(
  `${BEFORE}(?:(?:ich|wir) (?:verspreche|versprechen|sage|sagen) (?:dir|ihnen|euch|es|das)?|(?:verspreche|versprechen) (?:ich|wir))${AFTER}`,
)
export const RECEIVES_DE = unicode(
  `${BEFORE}(?:(?:du|ihr|sie) (?:bekomms?t|bekommen|kriegs?t|erhältst|erhaltet|erhalten)|(?:bekomms?t|bekommen|kriegs?t|erhältst|erhalten) (?:du|ihr|sie)|hörs?t du von (?:mir|uns)|hören sie von (?:mir|uns))${AFTER}`,
)
/** German clauses in the present tense that promise nothing. */
export const NO_ACTION_DE = unicode(
  `${BEFORE}(?:anbei|hiermit|hierzu|im anhang|angehängt|beigefügt|beiliegend|hier die|hier das|hier der|hier ein|jeden|jede|jedes|immer|meistens|oft|manchmal|selten|normalerweise|grundsätzlich|gerade|derzeit|nicht|nie|niemals|kein\\p{Ll}*|grüße|grüßen|frage (?:mich|uns)|fragen (?:mich|uns)|nehme an|nehmen an|mache mir sorgen|machen uns sorgen|weil|gern(?:e)?[^.?!]{0,30}wenn|seit|schon lange|damals|gestern|komme (?:gern|um|am \\p{L}+ um|morgen um|heute um))${AFTER}`,
)
/** Movement is an appointment, except "Ich komme auf dich zu". */
export const COMES_DE = unicode(
  `${BEFORE}(?:kommen?|fahren?|sagen?|lassen?|nehmen?|lesen?|sehen?|teilen?|legen?|setzen?|back(?:en?)?) ?(?:ich|wir)?${AFTER}`,
)
export const COMES_TO_YOU_DE = unicode(
  `(?:auf (?:dich|sie|euch) zu|darauf zurück|auf (?:dich|sie|euch) zurück|bescheid|wissen|zukommen|fest|mit${AFTER}|entgegen|durch|vor|dich in|sie in|mir .{0,40}an)${AFTER}`,
)

/* Third persons, who must be recipients of the mail. */

const VERBS_S =
  'sends|forwards|brings|calls|phones|emails|writes|replies|answers|gets|prepares|checks|looks|reviews|finishes|completes|delivers|updates|shares|submits|arranges|books|organi[sz]es|confirms|pays|transfers|fixes|handles|takes care|takes over|follows up|drafts|posts|uploads|asks|talks|speaks|returns|contacts|sets up|sorts|gives|drops|picks|orders|signs|prints|tests|deploys|invites|buys|cancels|adds|translates'
const VERBS_T =
  'schickt|sendet|leitet|meldet|ruft|schreibt|antwortet|informiert|fragt|spricht|redet|klärt|prüft|kümmert|erledigt|organisiert|besorgt|bucht|bestellt|kauft|holt|bringt|liefert|gibt|reicht|zahlt|überweist|stellt|erstellt|macht|bereitet|aktualisiert|korrigiert|übersetzt|druckt|unterschreibt|übernimmt|bestätigt|repariert'

/** Matches `name` as the one who acts. The name is a regular expression without groups. */
export const thirdPersonPattern = (name: string): RegExp =>
  new RegExp(
    `^(?:and |und |then |dann )?(?:${name})(?:[’']ll| will| is going to)? (?:also |then |dann )?(?:${VERBS}|${VERBS_S}|${VERBS_T}|wird [^.?!]{2,160}${INFINITIVE})${AFTER}`,
    'u',
  )

/** Splits a sentence where another person becomes the subject, or the writer again. */
export const NEW_SUBJECT = new RegExp(
  `(?:;\\s*|,\\s*(?:(?:and|und|while|während|but|aber|then|dann|so|also)\\s+)?|\\s[–—-]\\s|\\s(?:and|und|while|während|but|aber|so)\\s+)(?=(?:I['’]ll|I will|I['’]m going|I am going|we['’]ll|we will|we['’]re going|you(?:['’]ll)?\\s\\p{Ll}+|(?:ich|wir)\\s\\p{Ll}+(?:e|en|n)${AFTER}|du\\s\\p{Ll}+st${AFTER}|(?:could|can|would) you|please|bitte|\\p{Lu}\\p{Ll}+\\s(?:will\\s|is going to\\s|wird\\s|(?:${VERBS_S}|${VERBS_T})${AFTER})))`,
  'gu',
)
