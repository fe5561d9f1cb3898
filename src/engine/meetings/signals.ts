import { phraseFinder } from '../phrases/phrases.ts'
import { smallOf } from '../small-letters.ts'

/** A word or phrase that speaks for a meeting, or against one, and where it stands. */
export interface Signal {
  kind:
    | 'occasion'
    | 'proposal'
    | 'invitation'
    | 'acceptance'
    | 'link'
    | 'time'
    | 'past'
    | 'deadline'
    | 'bill'
    | 'hours'
    | 'offer'
    | 'cancellation'
  text: string
  offset: number
}

const PATTERNS: readonly (readonly [Signal['kind'], RegExp])[] = [
  [
    'occasion',
    /\b(?:meetings?|meet(?: up)?|town ?hall|all[- ]hands|offsite|next one|dentist|zahnarzt|arzttermin|friseur|concert|konzert|kino|theater|elternabend|vortrag|stammtisch|catch[- ]?up|get together|talk|chat|speak|calls?|phone call|video call|conference|interview|appointment|lunch|dinner|breakfast|brunch|coffee|drinks|workshop|webinar|seminar|training|demo|walkthrough|presentation|review|stand-?up|sync|check-?in|kick-?off|retro(?:spective)?|session|one[- ]on[- ]one|1:1|party|celebration|wedding|visit|tour|viewing|consultation|hearing|rehearsal|book club|choir|gathering|reunion|barbecue|bbq|picnic|ceremony|reception|meet-?up|hackathon|onboarding|game night|termin(?:e|en|s)?|treffens?|besprechung(?:en)?|telefonat(?:e|s)?|telko|konferenz(?:en)?|videocall|gespräch(?:e|en|s)?|sitzung(?:en)?|versammlung(?:en)?|mittagessen|abendessen|frühstück|kaffee|schulung|jour fixe|abstimmung|besichtigung|verabredung|anruf|rückruf|telefonieren|sehen (?:wir )?uns|(?:zusammen|gemeinsam|mittag|abend) (?:zu )?essen|essen gehen|besuch|hochzeit|feier|(?:sommer|herbst|winter|frühlings|straßen|schul|kinder|nachbarschafts|hof|vereins|garten|grill|weihnachts)fest|geburtstagsparty|vernissage|lesung|premiere|(?:info|spiele|film|grill|vereins|themen|tanz)abend|(?:ich|wir) feiere?n?|treffpunkt|table for|tisch (?:für|ist) |reservation|reservierung)\b/,
  ],
  [
    'proposal',
    /\b(?:(?:can|could|would) (?:you|we|u) (?:do|make|manage)(?= (?:it |that )?(?:at |on |\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|today|next))|(?:can|could|may) i (?:see (?:it|you|the)|come|visit|drop (?:by|in)|stop by)|(?:can|could|shall|should|may|might) (?:we|you|u|i)|(?:proposed|suggested|possible|available|alternative) (?:slots?|times?|dates?)|anyone up for|who(?:'s| is) up for|fancy|wanna|i (?:can|could)(?: also| only| maybe| still)? (?:do|make|offer)|i(?:'d| would) be (?:happy|glad|keen) to (?:meet|talk|chat)|which (?:one |day |time )?(?:works|suits)|would (?:work|suit)|my availability|(?:talk|speak|chat|meet) then|reschedul(?:e|ed|ing)|postpon(?:e|ed|ing)|move (?:our|the|my|your|this|it)|moved (?:to|from)|been moved|(?:push|move|shift|bump) (?:to(?:day|morrow)|\w+day)|push (?:our|the|my|your|this|it)|let(?:'?s| us)|is [^.?!]{1,40} (?:good|ok|okay|fine|possible|convenient)|how about|what about|how does|would (?:you|that|it|\w+day)|are you (?:free|available|around|up for|able)|do you have (?:time|a moment|\w+ minutes|availability)|(?:does|do|would|will) [^.?!]{1,50} (?:work|suit|be (?:ok|okay|fine|good|possible|convenient))|works? for (?:you|me|us|everyone)|suits? (?:you|me)|i(?:'m| am| would be|'d be) (?:free|available|open)|(?:propose|suggest|schedule|arrange|book(?= (?:an?|the|us|me|it|some|time|in|your|our)\b)|set up|find a time|pencil)|looking forward to (?:meeting|seeing|speaking|talking)|see you|talk (?:to you|soon)|speak (?:to you )?(?:on|at|then)|join (?:us|me)|come (?:by|over)|hätten sie|hättest du|magst du|mögt ihr|möchtest du|möchten sie|willst du|wollt ihr|hast du|haben sie|ich (?:könnte|kann|hätte) (?:am|um|ab|gegen|montag|dienstag|mittwoch|donnerstag|freitag|zeit)|könnte(?:n|st)? (?:ich|wir|du|sie)|verschieb(?:en|e|t)|verschoben|verleg(?:en|e|t)|passt|passen|wollen wir|können wir|sollen wir|lass uns|lasst uns|lassen sie uns|wie wäre|ginge|treffen wir uns|vorschlagen|schlage .{1,60}? vor|schlage vor|(?:hätte|hat|hast|habt|hättest|hättet) (?:jemand|du|ihr|wer)(?: \w+){0,2} lust|lust (?:auf|zu)|wer (?:hat lust|kommt mit)|bis dann|wir sehen uns|zeit (?:für|am|um))\b/,
  ],
  [
    'invitation',
    /\b(?:(?:you(?:'re| are) )?(?:cordially )?invited|invit(?:e|ation|ing)|rsvp|(?:would|will) you (?:like to |be able to )?(?:join|come)|are you coming|kommst du|seid ihr dabei|bist du dabei|save the date|please join|takes? place|will be held|is scheduled for|findet (?:[^\s?!]+ ){0,8}statt|we (?:will|would like to) (?:meet|host)|agenda|einlad(?:ung|en)|eingeladen|lade ich)\b/,
  ],
  [
    'acceptance',
    /\b(?:confirmed|confirming|(?:i|we)(?:'ve| have)? (?:booked|reserved|arranged) (?:us|you|an?|the)|works (?:great|well|perfectly|fine|for me|for us)|works(?=[.!,])|suits(?=[.!,])|is (?:perfect|ideal)|i(?:'ll| will) be there|count me in|bin (?:ich )?dabei|ich komme|see you (?:then|there)|sounds good|that works|accepted|bestätig\w+|passt (?:mir|gut|perfekt)|einverstanden)\b/,
  ],
  [
    'past',
    /\b(?:(?:i was|we were) (?!hoping|wondering|thinking|going|planning)|(?:ich war|wir waren|war ich)|met|spoke|talked|discussed|attended|happened|took place|(?:was|were|fand) (?:on|at|am) |was (?:held|great|nice|good|amazing|wonderful|lovely|fun|brilliant|fantastic)|thanks? (?:you )?for (?:the|your|meeting|joining|coming|a great)|it was (?:great|nice|good|a pleasure)|(?:had|have had) (?:a|an|our|the)|minutes of|recording of|fand statt|getroffen|gesprochen|war(?:en)? (?:schön|gut|nett)|danke für (?:das|den|ihr|dein))\b/,
  ],
  [
    'deadline',
    /\b(?:due(?: date| by| on)?|deadline|no later than|expires?|expir(?:y|ation)|valid (?:until|till|through)|ends? (?:on|at)|until further|submit|turn in|deliver(?:ed|y)? (?:by|on)|ship(?:s|ped|ping)?|arriv(?:e|es|ing|al)|renew(?:s|al)?|fällig|(?:abgabe|liefer|zahlungs|fälligkeits|einsende|rückgabe|versand|stich)(?:termin|tag)|frist|abgabe|gültig bis|lieferung|versand|läuft ab)\b/,
  ],
  [
    'bill',
    /\b(?:invoice|receipt|payment|amount|balance|total|subtotal|billing|charged|order (?:no|number|#)|statement|subscription|refund|rechnung|zahlung|betrag|bestellung|beleg|kontoauszug|abbuchung)\b/,
  ],
  [
    'hours',
    /\b(?:open(?:ing)? hours|business hours|office hours|hours of operation|we(?:'re| are) open|open (?:from|daily|monday|mon|every)|closed (?:on|from)|customer (?:service|support) (?:is )?(?:available|hours)|öffnungszeiten|geöffnet|geschlossen|sprechzeiten|erreichbar|servicezeiten)\b/,
  ],
  [
    'offer',
    /\b(?:sale|discount|\d{1,3} ?% off|coupon|(?:special|exclusive|limited|our best) (?:offers?|deals?)|offer (?:ends|expires|valid)|limited time|unsubscribe|newsletter|shop now|buy (?:now|tickets)|tickets from|rabatt|sonderangebot|angebot (?:gilt|endet)|gutschein|abmelden|jetzt (?:kaufen|sichern))\b/,
  ],
  [
    'cancellation',
    /\b(?:cancel(?:led|ed|ling|ing)?|call(?:ed)? off|won'?t (?:be able to )?make it|can'?t make it|abgesagt|absagen|entfällt|entfallen|fällt (?:leider )?aus|ausfallen|storniert)\b/,
  ],
]

const findPhrases = phraseFinder(PATTERNS.map(([, pattern]) => pattern))

/** A line that says what the rest of it is. */
const LABEL = /^[^\S\n]*(?:when|date|time|where|location|place|wann|wo|datum|uhrzeit|ort)\s?:/gm

/** German makes one word of it: Arzttermin, Teambesprechung, Weihnachtsfeier. */
const COMPOUND =
  /(?:termin(?:e|en|s)?|treffens?|besprechung(?:en)?|gespräch(?:e|en|s)?|telefonat(?:e|s)?|konferenz(?:en)?|sitzung(?:en)?|versammlung(?:en)?|besichtigung(?:en)?|begehung|abnahme|untersuchung|verhandlung|vorstellung|probe|seminare?|workshops?|training|interviews?|feier|meetings?)(?![a-zß-ÿ])/g
const LONGEST_WORD = 60

/** Hostile texts are full of them; a person's mail never comes near this. */
const MOST = 2000

/** Everything in the text that says something about meetings, in order. */
export const findSignals = (text: string): Signal[] => {
  const small = smallOf(text)
  const found: Signal[] = []
  const add = (kind: Signal['kind'], offset: number, to: number): void => {
    if (found.length < MOST) found.push({ kind, text: text.slice(offset, to), offset })
  }
  findPhrases(small, (pattern, from, to) =>
    add((PATTERNS[pattern] as (typeof PATTERNS)[number])[0], from, to),
  )
  for (const { 0: label, index } of small.matchAll(LABEL))
    add('invitation', index + label.search(/\S/), index + label.length)
  for (const { 0: head, index } of small.matchAll(COMPOUND)) {
    const [lead = ''] = /[a-zß-ÿ]*$/.exec(small.slice(Math.max(0, index - LONGEST_WORD), index)) ?? []
    if (lead !== '') add('occasion', index - lead.length, index + head.length)
  }
  // "Conference: 14–16 September".
  for (const { kind, text: words, offset } of [...found])
    if (kind === 'occasion' && small[offset + words.length] === ':')
      add('invitation', offset, offset + words.length)
  return found.sort((a, b) => a.offset - b.offset)
}
