/*
 * Finds the action items of a mail and assigns each to a person. A sentence is split where the person changes. "I'll
 * send the offer, you get me the plan, and Kim talks to the bank" holds three items. Questions and agreements give
 * none. A request in the form of a question ("Could you send me the plan?") does.
 */

import type { TimeExpression } from '../dates/read.ts'
import type { Piece } from '../meetings/title.ts'
import { onOneLine, type Sentence } from '../text.ts'

/** `me` is the reader, `them` anybody else. */
export type Owner = 'me' | 'them'

export interface Assignment extends Piece {
  owner: Owner
  /** Name of a third person who has to act, or null. */
  person: string | null
  confidence: number
  /** Length in the text, before line breaks are removed. */
  length: number
}

/** Verbs of actions that somebody can ask for or promise, in their base form. */
export const ACTION_VERBS =
  'send|resend|forward|bring|call|phone|ring|e-?mail|mail|write|reply|respond|answer|get back|come back|get|let (?:me|us|him|her|them|\\p{Lu}\\p{Ll}+) know|prepare|check|double-check|look into|look at|look over|look|take a look|have a look|review|read|finish|complete|deliver|update|share|provide|submit|arrange|book|schedule|organi[sz]e|confirm|pay|settle|transfer|fix|handle|take care|take|follow up|circulate|draft|post|upload|download|ask|talk|speak|make|return|contact|set up|set|sort|give|drop|pick|order|sign|print|test|deploy|report|file|invite|buy|cancel|change|move|add|remove|revise|correct|attach|pass|hand|show|tell|remind|find out|find|investigate|release|publish|ship|install|approve|reset|restart|delete|close|open|lock|unlock|warn|inform|notify|help|proofread|translate|clean|collect|create|define|discuss|document|ensure|evaluate|gather|merge|plan|present|research|run|start|stop|verify|work on|store|keep|put|use|try|fill|enter|register|sign up|copy|scan|compare|calculate|rewrite|replace|repair|build|design|advise|extend|hold|include|insert|note down|save|select|choose|decide|state|specify|describe|explain|clarify|make sure|be sure|switch|turn|wait|support|train|coordinate|negotiate|pull together|put together|backup|back up|host|lead|cover|push|ping|chase|join'
const VERB = `(?:${ACTION_VERBS})`
const VERB_S =
  '(?:sends|forwards|brings|calls|phones|rings|emails|mails|writes|replies|answers|gets|prepares|checks|looks|reviews|reads|finishes|completes|delivers|updates|shares|submits|arranges|books|schedules|organi[sz]es|confirms|pays|transfers|fixes|handles|takes|follows up|drafts|posts|uploads|asks|talks|speaks|makes|returns|contacts|sets up|sorts|gives|drops|picks|orders|signs|prints|tests|deploys|reports|files|invites|buys|cancels|changes|moves|adds|removes|revises|corrects|hands|tells|reminds|finds|investigates|releases|publishes|ships|installs|approves|cleans|collects|creates|presents|runs|translates|proofreads|covers|leads|builds|designs)'

/** Stems of German verbs of actions. Endings and separable prefixes vary. */
export const STEM =
  'schick|send|versend|meld|ruf|bring|kümmer|erledig|liefer|überweis|prüf|überprüf|klär|bereit|leit|schreib|besorg|buch|bestell|zahl|bezahl|reich|geb|gib|verschick|erstell|mach|aktualisier|übernehm|übernimm|organisier|informier|frag|sprech|sprich|red|hol|lad|stell|bestätig|vereinbar|unterschreib|korrigier|ergänz|räum|druck|kauf|such|les|lies|test|plan|füll|trag|änder|lösch|setz|schau|guck|nehm|nimm|nenn|teil|telefonier|verschieb|sag|kopier|scann|install|reparier|bau|entwerf|entwirf|vorbereit|kontaktier|koordinier|sicher|start|stopp|öffn|schließ|sperr|warn|denk|lass|lässt|begleich|zeig|werf|wirf|beantwort|antwort|notier|sortier|sammel|sammle|übersetz|veröffentlich|beauftrag|kündig|beantrag|verlänger|reservier|abstimm|stimm|richt|warte|heb|leg|schließ|helf|hilf|komm'
const INFINITIVE = `(?:ab|an|auf|aus|bei|durch|ein|fertig|frei|her|hin|mit|nach|nieder|raus|rein|rück|um|vor|weg|weiter|zu|zurück|zusammen|bereit|fest|statt|über|unter|wieder|los)?(?:zu)?(?:${STEM})\\p{Ll}{0,6}n`

const u = (source: string): RegExp => new RegExp(source, 'iu')
const LETTER_BEFORE = '(?<![\\p{L}\\d])'
const LETTER_AFTER = '(?![\\p{L}\\d])'

/** Words before a clause that carry no meaning of their own. */
const LEAD = u(
  `^(?:[\\s"'“„(*•–-]|(?:and|but|so|also|then|ok|okay|well|now|just|again|first|second|finally|otherwise|meanwhile|und|aber|also|dann|außerdem|zudem|oder|or|while|während|noch etwas|one more thing|as (?:agreed|discussed)|wie (?:besprochen|vereinbart|gesagt))${LETTER_AFTER}[\\s,:]*)+`,
)

/** Agreement, thanks and farewell: nobody has to do anything. */
const AGREEMENT =
  /^(?:(?:yes|yep|yeah|ok|okay|sure|great|perfect|fine|cool|alright|all right|ja|gut|super|prima|klar|perfekt|gerne?|einverstanden)[\s,.!–-]+)*(?:(?:that|this|it|which|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|everything|all)?\s?(?:works|suits|sounds|looks|is|seems)\s(?:(?:perfectly|very|really|absolutely|totally)\s)?(?:for (?:me|us)|me|us|good|great|fine|ok|okay|perfect|right|alright)|works (?:great|well|fine|perfectly)|fine (?:with|by|for) (?:me|us)|good (?:with|for) me|(?:i|we) (?:fully |completely |totally )?agree|agreed|no (?:problem|objections?|worries)|will do|done|see you|count me in|i['’]m in|i['’]ll be there|let['’]s do (?:it|that|this)|deal|das passt|passt|(?:das )?klingt gut|(?:bin |ich bin |wir sind )?einverstanden|abgemacht|so machen wir(?:['’]s| es| das)|alles klar|geht klar|kein problem|bin dabei|ich bin dabei|ich stimme zu|bis (?:dann|bald|morgen|montag|dienstag|mittwoch|donnerstag|freitag)|finde ich gut|gefällt mir)(?![\p{L}])/iu

/** Polite phrases in the form of a request. */
const COURTESY = u(
  `(?:(?:please|pls|kindly|bitte)\\s+)?(?:don['’]t hesitate|do not hesitate|feel free|(?:find|see) (?:attached|enclosed|below|the (?:attached|enclosed)|our|my)|(?:click|visit|unsubscribe)|add \\S+ to your (?:address book|contacts|safe)|see (?:below|attached|you)|(?:note|be aware|be advised|remember) that|accept (?:my|our)|excuse|forgive|bear with|let (?:me|us) know (?:if|should|in case) (?:you (?:have|need|require)|there (?:is|are) any(?:thing)?|anything (?:else|is unclear))|give (?:my|our) (?:regards|love|best)|say hello|take care|stay (?:safe|tuned|healthy)|keep up the|enjoy|zögern sie nicht|zögere nicht|entschuldig|verzeih|beachten sie|beachte|grüß|bleib gesund|melden sie sich (?:gern|jederzeit)|melde dich (?:gern|jederzeit)|(?:bei|für) (?:rück)?fragen|antworten sie nicht|do not reply|ignore this)`,
)

/** An offer to answer: "If you have any questions, please call me." */
const ON_QUESTIONS =
  /(?:if|should|in case|wenn|falls|sollten?|bei|für)\s(?:you|there|sie|du|ihr|weitere)?\s?(?:should )?(?:have |are |need |noch |weitere )*(?:any |some |a |further |more |irgendwelche )*(?:additional )?(?:questions?|comments?|concerns?|queries|(?:rück)?fragen|problems?|trouble)/iu
const ATTACHED = /^(?:attached|enclosed|anbei|im anhang)\s/iu

const isCourtesy = (words: string): boolean => {
  if (ON_QUESTIONS.test(words) || ATTACHED.test(words)) return true
  const match = COURTESY.exec(words.slice(0, 300))
  return match !== null && match.index < 40
}

const PLEASE = u(`${LETTER_BEFORE}(?:please|pls|plz|kindly|bitte)${LETTER_AFTER}`)
const PLEASE_ACTION = u(
  `${LETTER_BEFORE}(?:please|pls|plz|kindly),?\\s+(?:(?:also|just|then|do|don['’]t|do not|make sure (?:to|you)|be sure to|try to|remember to)\\s+)*\\p{L}+`,
)
const IMPERATIVE = u(
  `^(?:(?:please|pls|kindly|just|do|do not|don['’]t|go ahead and|don['’]t forget to|do not forget to|remember to|make sure (?:to|you|that you)|be sure to|try to|[\\p{L}]+,)\\s+){0,2}${VERB}\\s(?!(?:is|was|are|were|will|has|had|of|on us|about that|place)${LETTER_AFTER})(?:the|an?|your|our|my|his|her|their|me|us|him|them|it|this|that|these|those|all|both|each|every|any|some|out|up|back|in|on|off|over|to|for|with|by|at|mr|mrs|ms|dr|sure|\\p{Lu}|\\d|\\p{Ll}{4,})`,
)
/** Beginnings that look like an imperative and are something else. */
const NO_IMPERATIVE =
  /^(?:have a|take care|let['’]s|let me (?!know)|let us (?:meet|talk|do)|get well|look forward|looking|keep up|bring nothing|read more|learn more|shop|join us|work (?:is|was)|help is|use of|change of|update:|report:|order (?:no|number|total)|book (?:club|now)|thanks|call (?:it|with|on|at)|plan (?:is|for|b)|test (?:results|is)|open (?:questions|points|today)|check[- ]?(?:in|out)\b|set of|post (?:is|office)|report (?:is|for|on)|start (?:is|on|at)|support (?:is|team)|note that|try (?:as|it out))/iu
/** A second person statement assigns: "you get me the plan until Thursday". */
const YOU_ACT = u(
  `^(?:(?:if|when) [^,]{1,60}, )?(?:you|you guys|you two)\\s(?:(?:please|then|also|just|still)\\s)?(?:(?:will|['’]ll|should|must|need to|have to|had better|ought to|are going to|can|could|may want to|might want to)\\s(?:please |also |then |still |just )?)?${VERB}\\s(?!from me|back to me)\\S`,
)
const YOU_MUST = u(
  `(?:^|[,:;]\\s)(?:(?:i think|maybe|perhaps|then|so) )?you(?:['’]ll)?(?: all| both)?\\s(?:(?:still|also|will|really)\\s)?(?:need to|should|must|have to|ought to|are (?:required|asked|supposed) to)\\s(?!be (?:happy|aware|able|fine)|not|know|see|feel|have (?:received|got))\\p{L}`,
)
const NEED = u(
  `(?:${LETTER_BEFORE}(?:i|we)(?:['’]d| would| will|['’]ll)?(?: still| also| urgently| really)? (?:need|want|require|expect|appreciate|like)(?: for)? (?:you|someone|somebody|your)${LETTER_AFTER}|^(?:(?:i|we) (?:still |also |urgently )?)?(?:need|want|require) (?:the|your|an?|this|that|those|these|updated|all)${LETTER_AFTER}[^.?!]{0,100}${LETTER_BEFORE}(?:by|today|tomorrow|asap|before|tonight|now|until|this week|next week|from you)${LETTER_AFTER}|^your (?:\\p{L}+ ){0,3}is (?:needed|required))`,
)
const TELL_US = u(
  `${LETTER_BEFORE}(?:let (?:me|us) (?:know|have)|(?:give|drop|send|write|call|ring|text|get back to) (?:me|us)|(?:i|we) (?:look|am looking|are looking) forward to your (?:answer|reply|response|feedback)|(?:i|we) (?:would|['’]d) (?:be (?:happy|glad|grateful) if|appreciate (?:it if )?) ?you)${LETTER_AFTER}`,
)

const DU_ACT = u(
  `^du\\s(?:(?:bitte|dann|noch)\\s)?(?:(?:musst|sollst|solltest|darfst|wirst)${LETTER_AFTER}|(?:${STEM})\\p{Ll}{0,3}s?t${LETTER_AFTER})`,
)
const SIE_ACT = u(`^(?:Sie|ihr)\\s(?:müssen|müsst|sollten|solltet|sollen|sollt)${LETTER_AFTER}`)
const GERMAN_IMPERATIVE = u(
  `^(?:(?:bitte|dann|noch|auch)\\s+)*(?:(?:${STEM})(?:e|t|et|el|en)?(?:\\s(?:mir|uns|ihm|ihr|ihnen|das|den|die|dem|der|dich|sie|es|bitte|doch|noch|auch|ein|eine|einen|dein|deine|ihre?n?)${LETTER_AFTER})|(?:${STEM})en\\sSie${LETTER_AFTER})`,
)
const GERMAN_PLEASE = u(
  `${LETTER_BEFORE}bitte${LETTER_AFTER}.{0,160}(?:${LETTER_BEFORE}(?:${STEM})(?:e|t|st|en|et)?${LETTER_AFTER}|${INFINITIVE}${LETTER_AFTER})|${LETTER_BEFORE}(?:${STEM})(?:e|t|en|et)?\\s(?:\\S+\\s){0,8}bitte${LETTER_AFTER}|^bitte um${LETTER_AFTER}|${LETTER_BEFORE}(?:bitte[nt]? (?:ich|wir) (?:um|sie|dich)|(?:ich|wir) bitten? (?:um|sie|dich))${LETTER_AFTER}`,
)
const GERMAN_NEED = u(
  `${LETTER_BEFORE}(?:(?:brauchen?|bräuchten?|benötigen?|erwarten?) (?:ich|wir)|(?:ich|wir) (?:brauchen?|bräuchten?|benötigen?|erwarten?)|(?:mir|uns) fehl(?:t|en)(?: noch)?|(?:ich|wir) fordern? sie|fordern (?:wir|ich) sie)${LETTER_AFTER}[^.?!]{0,140}${LETTER_BEFORE}(?:bis|heute|morgen|noch|von (?:dir|ihnen|euch)|dein\\p{Ll}*|ihr\\p{Ll}*|dringend|sofort|umgehend|auf|die|den|das)${LETTER_AFTER}|${LETTER_BEFORE}(?:nicht vergessen|denk(?:t|en sie)? (?:bitte )?(?:an|daran)|gib(?:t|en sie)? (?:mir|uns) bescheid)${LETTER_AFTER}`,
)

/** A request in the form of a question. */
const ASKS_TO_ACT = u(
  `${LETTER_BEFORE}(?:can|could|would|will|won['’]t|might) (?:you|u|someone|somebody|anyone|anybody|one of you|the (?:staff|team|support|admins?|instructors?)|you guys|you both)(?: (?:please|kindly|also|maybe|perhaps|possibly|quickly|just|both|all|then|still|be so kind (?:as )?to|be able to|be willing to))* ${VERB}${LETTER_AFTER}`,
)
const WOULD_MIND = u(
  `${LETTER_BEFORE}(?:why don['’]t you ${VERB}|(?:would|do) you mind|could i (?:ask|get) you to|may i ask you to)${LETTER_AFTER}`,
)
const GERMAN_ASKS = u(
  `${LETTER_BEFORE}(?:kannst|könntest|würdest|magst|möchtest|willst) du${LETTER_AFTER}|${LETTER_BEFORE}(?:können|könnten|würden|möchten) sie${LETTER_AFTER}|${LETTER_BEFORE}(?:könnt|könntet|würdet|mögt) ihr${LETTER_AFTER}|${LETTER_BEFORE}(?:kann|könnte|würde) (?:jemand|einer|das team)${LETTER_AFTER}`,
)
const GERMAN_ACTS = u(
  `${LETTER_BEFORE}(?:${INFINITIVE}|ansehen|anschauen|durchsehen|durchlesen|tun|helfen)(?:\\s?[?.!,]|\\s(?:bis|am|und|oder|heute|morgen|wenn|dass|ob|und)${LETTER_AFTER}|$)`,
)
/** Asking for one's presence or knowledge is a question. */
const ABOUT_PRESENCE = u(
  `(?:someone|somebody|anyone|anybody) (?:please )?help\\s?\\?|(?:you|u) (?:please |also |maybe )?(?:make it|make (?:\\p{L}+day|\\d|tomorrow)|get (?:there|here|away)|join|tell me (?:what|when|where|who|how|why|which|if|whether)|explain (?:what|why|how)|let me know (?:what|when|where|who|how|why|which)|meet|start (?:on|at))${LETTER_AFTER}|${LETTER_BEFORE}(?:mitkommen|vorbeikommen|kommen|sagen,? (?:wann|wo|wer|was|wie|ob|warum)|erklären,? (?:was|wie|warum))\\s?[?,]`,
)

const WILL_ACT = `(?:will|['’]ll|shall|(?:am|is|are|['’]m|['’]re|['’]s) (?:also )?going to|promise to|(?:have|need|has|needs|still have|still need) to|should)`
const ADVERB = `(?:(?:also|then|just|try to|try and|make sure to|definitely|certainly|gladly|happily|personally|first|now|soon|shortly|quickly|in the meantime|meanwhile) )*`
const I_ACT = u(
  `(?:^|${LETTER_BEFORE})(?:i|we)\\s?(?:will|['’]ll|shall|(?:am|are|['’]m|['’]re) (?:also )?going to|promise to) ${ADVERB}(?:${VERB}|have .{1,40} (?:sent|ready|done)|get back)${LETTER_AFTER}`,
)
const I_HAVE_TO = u(`^(?:i|we) (?:still |also |just )?(?:have|need) to ${VERB}${LETTER_AFTER}`)
const I_AND = u(
  `^(?:i|we)${LETTER_AFTER}[^.?!]{0,80}${LETTER_BEFORE}and (?:will|['’]ll) ${VERB}${LETTER_AFTER}`,
)
const PRESENT_STEM = `(?:${STEM})`
const ICH_ACT = u(
  `(?:^|[,:;–-]\\s|${LETTER_BEFORE}(?:und|aber|dann)\\s)(?:ich|wir)\\s(?:${PRESENT_STEM})\\p{Ll}{0,3}(?:e|en|le|re)${LETTER_AFTER}|${LETTER_BEFORE}(?:${PRESENT_STEM})\\p{Ll}{0,3}(?:e|en) (?:ich|wir)${LETTER_AFTER}|${LETTER_BEFORE}(?:ich|wir)${LETTER_AFTER}[^.?!]{0,80}${LETTER_BEFORE}und (?:${PRESENT_STEM})(?:e|en)${LETTER_AFTER}`,
)
const ICH_WERDE = u(
  `${LETTER_BEFORE}(?:(?:ich|wir) werden?|werden? (?:ich|wir))${LETTER_AFTER}[^.?!]{0,160}${LETTER_BEFORE}${INFINITIVE}${LETTER_AFTER}`,
)
/** Not a promise: a condition, a denial, an expectation or a state. */
const NO_PROMISE = u(
  `^(?:if|unless|should you|in case|wenn|falls|sofern)${LETTER_AFTER}|${LETTER_BEFORE}(?:i|we)(?:['’]ll| will) (?:not|never|be|need|want|see|miss|have to (?:wait|cancel|charge))${LETTER_AFTER}|${LETTER_BEFORE}(?:will|müssen|werden) (?:hand the matter|pass the claim|take legal|terminate)|${LETTER_BEFORE}(?:ich|wir) (?:kommen?|müssen|machen? (?:uns|mir) sorgen|freuen?|denken?|sagen?|fragen? (?:mich|uns)|lasse?n? (?:uns|mich)|nehmen? an|haben)${LETTER_AFTER}`,
)
/** Words that turn an apparent promise into a request: "I will need you to", "I'll wait, so please". */
const ASKS_BACK = u(
  `${LETTER_BEFORE}(?:please|let (?:me|us) know|bitte)${LETTER_AFTER}|\\?|${LETTER_BEFORE}(?:need|want|like|expect|require|appreciate|await|count on|rely on|wait for|look forward to) (?:you|your|to hear)${LETTER_AFTER}|${LETTER_BEFORE}you (?:to|need|should|must|could|would|have to)${LETTER_AFTER}`,
)

/** Capitalised words at the start of a clause that are no names. */
const NO_NAME =
  /^(?:The|This|That|These|Those|There|Here|It|He|She|They|We|You|I|Who|What|When|Where|Which|Why|How|If|As|At|On|In|By|For|From|To|With|After|Before|Until|Once|All|Any|Some|Each|Every|Both|Most|Many|No|Not|Nothing|Nobody|Everyone|Everybody|Someone|Somebody|Anyone|And|But|Or|So|Also|Then|Just|Please|Thanks|Thank|Let|Our|My|Your|His|Her|Their|Its|An|Next|Last|Today|Tomorrow|Tonight|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Water|Payment|Delivery|Shipping|Support|Service|Tracking|Production|Customers|Users|People|Work|Construction|Registration|Access|Late|Der|Die|Das|Dem|Den|Des|Ein|Eine|Einen|Dies|Diese|Dieser|Dieses|Es|Er|Sie|Wir|Ihr|Ich|Du|Wer|Was|Wann|Wo|Wie|Warum|Wenn|Falls|Als|Am|Im|An|Auf|Aus|Bei|Bis|Mit|Nach|Seit|Von|Vor|Zu|Zum|Zur|Alle|Jeder|Jede|Keiner|Niemand|Und|Aber|Oder|Dann|Auch|Bitte|Danke|Heute|Morgen|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Hier|Dort|Unser|Unsere|Mein|Meine|Dein|Deine|Ihre|Damit|Dafür|Dazu|Man|Leider|Noch|Nur|Need|Needs|Außerdem)$/u
const NAME = '(\\p{Lu}\\p{Ll}[\\p{L}’-]{0,29}(?:\\s\\p{Lu}\\p{Ll}[\\p{L}’-]{1,29})?)'
const NAMED_ACTS = new RegExp(
  `^(?:(?:mr|mrs|ms|herr|frau)\\.?\\s)?${NAME}\\s(?:(?:and \\p{Lu}\\p{Ll}+ )?${WILL_ACT} ${ADVERB}${VERB}|(?:then |also )?${VERB_S})${LETTER_AFTER}`,
  'u',
)
const NAMED_ACTS_DE = new RegExp(
  `^(?:(?:Herr|Frau)\\s)?${NAME}\\s(?:(?:soll|wird|muss|möchte|kann)${LETTER_AFTER}[^.?!]{0,160}${INFINITIVE}|(?:${STEM})\\p{Ll}{0,3}t${LETTER_AFTER}(?!\\s(?:worden|werden)))`,
  'u',
)
/** German present tense that reports instead of assigning: "Kim arbeitet dort". */
const REPORTS = /^(?:\S+\s){1,3}(?:(?:hat|had|has|was|war|ist|is|sagte|said)\s)(?!(?:also )?going to|to\s)/u

const EVERYONE = /^(?:all|everyone|everybody|you|team|alle|jeder|du|sie|ihr)$/iu

/** Splits where another person becomes the subject. The first part keeps its start. */
const NEW_SUBJECT = new RegExp(
  `(?:;\\s*|,\\s*(?:(?:and|und|while|während|but|aber|then|dann|so)\\s+)?|\\s(?:and|und|while|während|but|aber)\\s+)(?=(?:I['’]ll|I will|I['’]m going|I am going|I can|we['’]ll|we will|you(?:['’]ll)?\\s(?:(?:will|should|must|need|please)\\s)?${VERB}|(?:ich|wir|du)\\s\\p{Ll}+(?:e|en|st)${LETTER_AFTER}|(?:could|can|would) you|please|bitte|\\p{Lu}\\p{Ll}+\\s(?:(?:will|is (?:also )?going to|should|has to|soll|wird|muss)\\s|${VERB_S}${LETTER_AFTER}|(?:${STEM})\\p{Ll}{0,3}t${LETTER_AFTER})))`,
  'gu',
)
const MAX_SENTENCE_LENGTH = 600

const CONDITION = /^\s*(?:if|unless|should you|in case|when|wenn|falls|sofern|sobald|once)(?!\p{L})/iu

const splitByPerson = (raw: string): Sentence[] => {
  if (raw.length > MAX_SENTENCE_LENGTH) return [{ from: 0, to: raw.length }]
  const clauses: Sentence[] = []
  let from = 0
  for (const match of raw.matchAll(NEW_SUBJECT)) {
    // "If you like, I will send it" is one clause.
    if (raw.slice(from, match.index).trim().length < 4 || CONDITION.test(raw.slice(from))) continue
    clauses.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  return [...clauses, { from, to: raw.length }]
}

/** "Please print two copies and send me the agenda": what the writer gets is an item of its own. */
const NEXT_REQUEST = new RegExp(
  `\\s(?:and|und)\\s+(?:(?:then|also|please|dann|auch|bitte)\\s+)*(?=${VERB}\\s(?:me|us)\\s|(?:${STEM})(?:e|en\\sSie)?\\s(?:mir|uns|mich)\\s)`,
  'giu',
)
/** An answer about the first request is no item of its own: "check it and tell me". */
const SAME_MATTER =
  /^(?:(?:let|tell|give|show|inform|notify|remind|sag|gib|nenn|zeig|teil|melde)(?!\p{L})|\S+\s(?:(?:me|us|mir|uns)\s)?(?:it|them|back|es|sie|ihn|bescheid)(?!\p{L}))/iu
const MIN_OWN_WORDS = 3

const countWords = (text: string): number => text.trim().split(/\s+/u).length

const splitRequests = (text: string): Sentence[] => {
  const requests: Sentence[] = []
  let from = 0
  for (const match of text.matchAll(NEXT_REQUEST)) {
    const next = text.slice(match.index + match[0].length)
    const isOwn =
      countWords(text.slice(from, match.index)) > MIN_OWN_WORDS && countWords(next) >= MIN_OWN_WORDS
    if (!isOwn || SAME_MATTER.test(next)) continue
    requests.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  return [...requests, { from, to: text.length }]
}

type Assigned = { owner: Owner; person: string | null; confidence: number }

const mine = (confidence: number): Assigned => ({ owner: 'me', person: null, confidence })
const theirs = (confidence: number, person: string | null = null): Assigned => ({
  owner: 'them',
  person,
  confidence,
})

const findPerson = (words: string): string | undefined => {
  const name = (NAMED_ACTS.exec(words) ?? NAMED_ACTS_DE.exec(words))?.[1]
  if (name === undefined || REPORTS.test(words)) return undefined
  return name.split(' ').some((word) => NO_NAME.test(word)) ? undefined : name
}

const isCommitment = (words: string): boolean =>
  (I_ACT.test(words) ||
    I_HAVE_TO.test(words) ||
    I_AND.test(words) ||
    ICH_ACT.test(words) ||
    ICH_WERDE.test(words)) &&
  !NO_PROMISE.test(words) &&
  !ASKS_BACK.test(words)

const isRequestQuestion = (words: string): boolean =>
  !ABOUT_PRESENCE.test(words) &&
  (ASKS_TO_ACT.test(words) || WOULD_MIND.test(words) || (GERMAN_ASKS.test(words) && GERMAN_ACTS.test(words)))

const isImperative = (words: string): boolean => IMPERATIVE.test(words) && !NO_IMPERATIVE.test(words)

const isRequest = (words: string): boolean =>
  PLEASE_ACTION.test(words) ||
  GERMAN_PLEASE.test(words) ||
  isImperative(words) ||
  GERMAN_IMPERATIVE.test(words) ||
  YOU_ACT.test(words) ||
  YOU_MUST.test(words) ||
  DU_ACT.test(words) ||
  SIE_ACT.test(words) ||
  NEED.test(words) ||
  TELL_US.test(words) ||
  GERMAN_NEED.test(words)

/** The model alone must be this sure, because it was trained on proposals too. */
const MODEL_ALONE = 1.1

const FAREWELL =
  /^(?:(?:see|talk to|speak to|catch) you|(?:talk|speak) (?:soon|then|later)|(?:we )?(?:look|looking) forward to (?!your (?:answer|reply|response|feedback))|have a (?:great|nice|good|lovely|safe)|enjoy (?:your|the)|take care|bis (?:dann|bald|morgen|später|nächste|montag|dienstag|mittwoch|donnerstag|freitag)|wir sehen uns|schöne[ns]? (?:tag|abend|woche|wochenende|urlaub))\b[^?]{0,50}$/iu

/** An offer or a permission: "If you want, you can keep it", "You may also call us", "If not, please tell me". */
const OFFER =
  /^(?:(?:if|in case|whenever)\s(?:you|anyone|anybody)\s(?:want|like|wish|prefer|feel like|are interested|have (?:the )?time|happen to)(?!\p{L})|if (?:not|so|yes|no|in doubt|needed|necessary|possible)(?!\p{L})|(?:wenn|falls|sofern)\s(?:nicht|ja|nein|nötig|möglich)(?!\p{L})|(?:wenn|falls)\s(?:du|ihr|sie)\s(?:magst|mögt|mögen|willst|wollt|wollen|möchtest|möchtet|möchten|lust|zeit)(?!\p{L})|you (?:can|may|could|might|are welcome to|are free to|(?:don['’]t|do not) (?:have|need) to|needn['’]t)(?!\p{L})[^.?!]{0,80}\b(?:if you (?:want|like|wish)|any ?time|any more|anymore|keep|have|come)\b|(?:du|ihr|sie)\s(?:kannst|könnt|können|darfst|dürft|dürfen)\s[^.?!]{0,80}(?:gern|gerne|jederzeit|behalten|haben))/iu

/** Assigns one clause to a person, or returns undefined if nobody has to do anything. */
const assign = (clause: string, score: number): Assigned | undefined => {
  const words = clause.replace(LEAD, '').slice(0, MAX_SENTENCE_LENGTH)
  if (words.length < 4 || (words.length < 70 && FAREWELL.test(words))) return undefined
  const isQuestion = /\?["')]*\s*$/.test(words)
  const isPolite = PLEASE.test(words)
  if (isQuestion) return isRequestQuestion(words) ? mine(0.85) : undefined
  if (AGREEMENT.test(words) && !isPolite) return undefined
  if (isCourtesy(words) || OFFER.test(words)) return undefined
  const person = findPerson(words)
  if (person !== undefined) return theirs(0.75, person)
  if (isCommitment(words)) return theirs(0.75)
  if (isRequest(words)) return mine(isPolite ? 0.9 : 0.8)
  if (isRequestQuestion(words)) return mine(0.75)
  if (NO_PROMISE.test(words)) return undefined
  return score > MODEL_ALONE ? mine(0.6) : undefined
}

const HEADING =
  /^[\s*_#>]*(?:(?:open |agreed |our )?action (?:items?|points?)|(?:the )?next steps?|to-?\s?dos?|follow-?ups?|tasks|aufgaben(?:liste)?|nächste schritte|offene punkte|to-?do-?liste|maßnahmen)[\s*_]*:?[\s*_]*$/iu
/** A heading may end a sentence: "It was a good meeting. Next steps:". */
const MAX_HEADING_LENGTH = 60
const ITEM = /^\s*(?:[-*•–·☐□]|\[\s?\]|\d{1,2}[.)])\s+(?=\S)/u
const NAMED_ITEM =
  /^@?(\p{Lu}[\p{L}'’-]{1,30}(?:\s\p{Lu}[\p{L}'’-]{1,30})?)(?:\s?[:–-]\s+|\s(?:to|will|soll|wird)\s+)(?=\S)/u
/** A list item with a name and a verb: "Ana: update the roadmap". */
const NAMED_ACTION = new RegExp(
  `^@?\\p{Lu}[\\p{L}'’-]{1,30}(?:\\s\\p{Lu}[\\p{L}'’-]{1,30})?\\s?:\\s+(?:(?:please |bitte )?(?:to )?${VERB}${LETTER_AFTER}|[^\\n]{0,120}${INFINITIVE}(?:\\s\\(?(?:bis|am)\\s[^\\n]{1,40})?[.!]?\\s*$)`,
  'u',
)
/** A list item with a verb and an object: "Call the venue". */
const PLAIN_ACTION = new RegExp(
  `^(?:please |then |also )?${VERB}\\s(?:the|an?|your|our|my|me|us|him|her|them|it|this|that|these|all|out|up|back|new|some|any|\\p{Ll}{3,}s)${LETTER_AFTER}`,
  'iu',
)
/** A single item may be a note; several form a list of action items. */
const MIN_ITEMS = 2

/** Returns the first name of the reader from the greeting. */
const GREETED = /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin)\s+(\p{L}[\p{L}'’-]{1,30})(?!\p{L})/iu

/** Returns the sentences that are items of a list of action items, with their assignment. */
const findListed = (own: string, sentences: readonly Sentence[]): ReadonlyMap<number, Assigned> => {
  const lines = sentences.map(({ from, to }) => own.slice(from, Math.min(to, from + 300)))
  const worded = new Set(
    lines.flatMap((line, index) => {
      const item = ITEM.exec(line)
      const words = item ? line.slice(item[0].length) : ''
      return item && (NAMED_ACTION.test(words) || PLAIN_ACTION.test(words)) ? [index] : []
    }),
  )
  const found = new Map<number, Assigned>()
  const reader = GREETED.exec(own.slice(0, 200))?.[1]?.toLowerCase()
  let isListed = false
  for (const [index, line] of lines.entries()) {
    if (line.length < MAX_HEADING_LENGTH && HEADING.test(line)) {
      isListed = true
      continue
    }
    const isItem = isListed || (worded.size >= MIN_ITEMS && worded.has(index))
    const item = isItem ? ITEM.exec(line) : null
    if (!item) {
      if (line.trim() !== '') isListed = false
      continue
    }
    const name = NAMED_ITEM.exec(line.slice(item[0].length))?.[1]
    const isMine = name === undefined || EVERYONE.test(name) || name.split(' ')[0]?.toLowerCase() === reader
    found.set(index, isMine ? mine(0.75) : theirs(0.75, name))
  }
  return found
}

/** Matches the list marker and the greeting before a sentence. */
const MARK = /^[\s>*•–-]*(?:(?:\d{1,2}[.)]|[a-h]\))\s+)?/
const GREETING =
  /^(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin|guten (?:tag|morgen|abend)|sehr geehrte[rs]?)\b(?:\s[\p{L}.'’-]{1,30}){0,4}\s?[,!]\s+(?=\p{L})/iu
const MAX_GREETING_LENGTH = 120

/** Returns the length of the list marker and the greeting before a sentence. */
export const openingOf = (text: string): number => {
  const mark = MARK.exec(text)?.[0].length ?? 0
  const start = text.slice(mark, mark + MAX_GREETING_LENGTH)
  const length = mark + (/[,!]/.test(start) ? (GREETING.exec(start)?.[0].length ?? 0) : 0)
  return length < text.trimEnd().length ? length : 0
}

const PAYMENT = u(
  `${LETTER_BEFORE}(?:please|kindly|bitte)${LETTER_AFTER}[^.?!]{0,60}${LETTER_BEFORE}(?:pay|settle|remit|transfer|arrange (?:the )?payment|make (?:the )?payment|update your payment|payment (?:by|within|no later)|überweisen|begleichen|bezahlen|zahlen|ausgleichen)${LETTER_AFTER}|${LETTER_BEFORE}(?:überweisen|begleichen|zahlen) sie${LETTER_AFTER}`,
)

/** Invoices are automated mail, but the reader still has to pay them. */
export const asksForPayment = (sentence: string): boolean =>
  PAYMENT.test(sentence.slice(0, MAX_SENTENCE_LENGTH))

/** Whether a sentence asks politely. */
export const asksPolitely = (sentence: string): boolean => PLEASE.test(sentence.slice(0, MAX_SENTENCE_LENGTH))

const MAX_ITEMS = 20

/** Finds the action items in a text without quoted history. `scores` are those of the request model. */
export const findActionItems = (
  own: string,
  sentences: readonly Sentence[],
  scores: readonly number[],
  /** Limits the search to sentences of this kind. */
  isWanted?: (sentence: string) => boolean,
): Assignment[] => {
  const listed: ReadonlyMap<number, Assigned> = isWanted ? new Map() : findListed(own, sentences)
  const found: Assignment[] = []
  for (const [index, { from, to }] of sentences.entries()) {
    if (found.length >= MAX_ITEMS) break
    const raw = own.slice(from, to)
    if (isWanted && !isWanted(raw)) continue
    const opening = openingOf(raw)
    const add = (start: number, end: number, assigned: Assigned): void => {
      const piece = raw.slice(start, end)
      const text = onOneLine(piece).trim()
      const offset = from + start + (piece.length - piece.trimStart().length)
      if (text !== '') found.push({ text, offset, length: end - start, ...assigned })
    }
    const inList = listed.get(index)
    if (inList) {
      add(opening, raw.length, inList)
      continue
    }
    const clauses = splitByPerson(raw.slice(opening))
    const isWhole = clauses.length === 1
    const assigned = clauses.map((clause) => ({
      ...clause,
      assigned: assign(
        raw.slice(opening + clause.from, opening + clause.to).trim(),
        isWhole ? (scores[index] as number) : 0,
      ),
    }))
    // Clauses of the same person in one sentence are one item.
    let before: (typeof assigned)[number] | undefined
    for (const clause of assigned) {
      if (!clause.assigned) continue
      const last = found.at(-1)
      const isSame =
        before?.assigned !== undefined &&
        last !== undefined &&
        before.assigned.owner === clause.assigned.owner &&
        before.assigned.person === clause.assigned.person
      if (isSame && last) {
        const end = from + opening + clause.to
        const piece = own.slice(last.offset, end)
        last.text = onOneLine(piece).trim()
        last.length = end - last.offset
      } else add(opening + clause.from, opening + clause.to, clause.assigned)
      before = clause
    }
  }
  return found.flatMap((item): Assignment[] => {
    if (item.owner !== 'me') return [item]
    const raw = own.slice(item.offset, item.offset + item.length)
    return splitRequests(raw).map(({ from, to }) => ({
      ...item,
      text: onOneLine(raw.slice(from, to)).trim(),
      offset: item.offset + from,
      length: to - from,
    }))
  })
}

/** Returns the times of an item, with offsets relative to it. */
export const timesOf = (
  times: readonly TimeExpression[],
  { offset, length }: Pick<Assignment, 'offset' | 'length'>,
): TimeExpression[] =>
  times
    .filter((time) => time.offset >= offset && time.offset < offset + length)
    .map((time) => ({ ...time, offset: time.offset - offset }))
